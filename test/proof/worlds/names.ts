/** What the steps of worlds name: people, projects, teams, keys, and disturbances. */
/** Addresses contain one another: those of `ben` and `reuben`, of the first owner and `coowner`. */
export const people = ["ada", "ben", "cleo", "dora", "eve", "finn", "reuben", "coowner"] as const;
export type Person = (typeof people)[number];
/** These have no account when the world begins. */
export const withoutAccount: readonly Person[] = ["eve", "finn"];

/** `payments` and `billing` are created by programs, `legacy` and `orders` exist before. */
export const slots = ["payments", "billing", "legacy", "orders"] as const;
export type Slot = (typeof slots)[number];

export const roleNames = ["GROUP_OWNER", "GROUP_READ_ONLY", "GROUP_USER_ADMIN"] as const;
export type Role = (typeof roleNames)[number];

/** `readers` exists before and is in `legacy`. Programs create the others. */
export const teamNames = ["readers", "operators", "night shift"] as const;
export type TeamName = (typeof teamNames)[number];
/** Resources that declare a team. Its name is an input, so it can move from one of them to the other. */
export const teamResources = ["one", "two"] as const;
export type TeamResource = (typeof teamResources)[number];

export type People = Partial<Readonly<Record<Person, readonly Role[]>>>;

/** Resources that declare an API key of the organization. */
export const apiKeyResources = ["one", "two"] as const;
export type ApiKeyResource = (typeof apiKeyResources)[number];

/** How a name gets something into it that nobody sees or means. */
export const misspellings = {
  "zero-width space": (name: string) => `${name}\u200b`,
  "right-to-left override": (name: string) => `\u202e${name}`,
  "soft hyphen": (name: string) => name.replace(/(?<=.)/, "\u00ad"),
  "full-width @": (name: string) => name.replace("@", "\uff20"),
} as const;
export type Misspelling = keyof typeof misspellings;

export const faultKinds = {
  "reset before the write": "reset-before-write",
  "reset after the write": "reset-after-write",
  "half of the response": "truncate",
  "stale nonce": "stale-nonce",
  "idle connection closed": "close-after-answer",
  "500": { status: 500 },
  "500 after the write": { status: 500, afterWrite: true },
  "502 page": { status: 502, body: "<html>Bad gateway</html>", contentType: "text/html" },
  "502 page after the write": {
    status: 502,
    body: "<html>Bad gateway</html>",
    contentType: "text/html",
    afterWrite: true,
  },
  "503": { status: 503, body: "", contentType: "text/plain" },
  "503 with Retry-After": { status: 503, headers: { "Retry-After": "0" } },
  "429 with Retry-After": { status: 429, headers: { "Retry-After": "0" } },
  "bare 404": { status: 404, body: "", contentType: "text/plain" },
  "bare 405": { status: 405, body: "Method Not Allowed", contentType: "text/plain" },
  "bare 501": { status: 501, body: "", contentType: "text/plain" },
  "404 page": { status: 404, body: "<html>Not found</html>", contentType: "text/html" },
  "401": { status: 401, body: { error: 401, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." } },
  "403": { status: 403, body: { error: 403, errorCode: "IP_ADDRESS_NOT_ON_ACCESS_LIST", detail: "No." } },
  "no response in time": { delayMs: 3_600_000, afterWrite: true },
} as const;
export type FaultKind = keyof typeof faultKinds;

export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(table) as Key[];

export const requestKinds = {
  any: { method: undefined, path: "" },
  "any write": { method: "(POST|PUT|PATCH|DELETE)", path: "" },
  "list of members": { method: "GET", path: "/groups/\\w+/users(\\?|$)" },
  "list of invitations": { method: "GET", path: "/groups/\\w+/invites(\\?|$)" },
  project: { method: "GET", path: "/groups/\\w+(\\?|$)" },
  "list of projects": { method: "GET", path: "/orgs/\\w+/groups" },
  account: { method: "GET", path: "/users/" },
  "new project": { method: "POST", path: "/groups(\\?|$)" },
  invitation: { method: "POST", path: "/invites(\\?|$)" },
  assignment: { method: "POST", path: "/users(\\?|$)" },
  "list of teams": { method: "GET", path: "/teams" },
  "any write of teams": { method: "(POST|PATCH|DELETE)", path: "/teams" },
  "people of the organization": { method: "GET", path: "/orgs/\\w+/(users|invites)" },
  "any write of people of the organization": {
    method: "(POST|PUT|PATCH|DELETE)",
    path: "/orgs/\\w+/(users|invites)",
  },
  "list of agent keys": { method: "GET", path: "/agentapikeys" },
  "any write of agent keys": { method: "(POST|DELETE)", path: "/agentapikeys" },
} as const;
export type RequestKind = keyof typeof requestKinds;

export interface WorldFault {
  readonly meets: RequestKind;
  /** How many requests of this kind pass before. */
  readonly after: number;
  /** How many requests it applies to, one after the other. */
  readonly times: number;
  readonly kind: FaultKind;
}
