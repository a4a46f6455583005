/**
 * A world: a provider, the behavior of the embedded service, and the steps that happen one after the other. Data only, so that a world
 * can be generated, shortened, printed and kept as a regression test.
 *
 * A step that is not possible at its turn has no effect. Examples are a change of a resource that
 * the program does not have, and the removal of a person who is not in the project.
 */
import type { Switches } from "../../../sandbox";

export const people = ["ada", "ben", "cleo", "dora", "eve", "finn"] as const;
export type Person = (typeof people)[number];
/** These have no account when the world begins. */
export const withoutAccount: readonly Person[] = ["eve", "finn"];

/** `payments` and `billing` are created by programs, `legacy` and `orders` exist before. */
export const slots = ["payments", "billing", "legacy", "orders"] as const;
export type Slot = (typeof slots)[number];
export const existing: readonly Slot[] = ["legacy", "orders"];

export const roleNames = ["GROUP_OWNER", "GROUP_READ_ONLY", "GROUP_USER_ADMIN"] as const;
export type Role = (typeof roleNames)[number];

export type People = Partial<Readonly<Record<Person, readonly Role[]>>>;

/** Declares a Project, or changes all of its inputs. */
export interface DeclareProject {
  readonly declare: "Project";
  readonly slot: Slot;
  /** For `legacy` and `orders`: declared as well. */
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly secretTags?: boolean;
  readonly ignoreTags?: readonly string[];
  readonly ldapGroupMappings?: readonly { readonly roleName: Role; readonly ldapGroups: readonly string[] }[];
  readonly onDestroy?: "delete" | "release";
}

/** Declares a ProjectMember, or changes all of its inputs. */
export interface DeclareMember {
  readonly declare: "ProjectMember";
  readonly slot: Slot;
  readonly person: Person;
  /** `username`: the name the person had when the world began; `current name`: the one of today. */
  readonly by: "username" | "userId" | "current name" | "current name and userId";
  readonly roles?: readonly Role[];
  readonly onDestroy?: "remove" | "release";
}

/** Declares a ProjectMembers, or changes all of its inputs. */
export interface DeclareMembers {
  readonly declare: "ProjectMembers";
  readonly slot: Slot;
  readonly people: People;
  /** The owner of the organization, who owns each project at first, is not listed. */
  readonly withoutOwner?: boolean;
  readonly ignoreUsers?: readonly string[];
  readonly maxRemovals?: number;
  readonly removeUnlisted?: boolean;
  readonly onDestroy?: "remove" | "release";
}

/** Changes the program; `pick` chooses one of its resources. */
export type ProgramStep =
  | DeclareProject
  | DeclareMember
  | DeclareMembers
  | { readonly remove: number }
  /** Removes all resources. */
  | { readonly remove: "all" }
  | { readonly rename: number; readonly alias: boolean }
  /** Moves the people of a project from ProjectMember to ProjectMembers, or the other way. */
  | { readonly convert: Slot };

/** Something that other people do in the service, past this provider. */
export type OutsideStep =
  | { readonly outside: "change tags"; readonly slot: Slot; readonly tags: readonly string[] }
  | { readonly outside: "rename project"; readonly slot: Slot; readonly name: string }
  | { readonly outside: "move project"; readonly slot: Slot }
  | {
      readonly outside: "set member";
      readonly slot: Slot;
      readonly person: Person;
      readonly roles: readonly Role[];
    }
  | { readonly outside: "remove member"; readonly slot: Slot; readonly person: Person }
  /** Gives the person the roles back that "remove member" took. */
  | { readonly outside: "return member"; readonly slot: Slot; readonly person: Person }
  | {
      readonly outside: "invite";
      readonly slot: Slot;
      readonly person: Person;
      readonly roles: readonly Role[];
    }
  | { readonly outside: "accept"; readonly slot: Slot; readonly pick: number }
  | { readonly outside: "expire"; readonly slot: Slot; readonly pick: number }
  | { readonly outside: "take back"; readonly slot: Slot; readonly pick: number }
  | { readonly outside: "rename account"; readonly person: Person }
  /** The account gets another name, and the account of `by` gets the name that it had. */
  | { readonly outside: "reuse name"; readonly person: Person; readonly by: Person };

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

export const requestKinds = {
  any: { method: undefined, path: "" },
  "any write": { method: "(POST|PATCH|DELETE)", path: "" },
  "list of members": { method: "GET", path: "/groups/\\w+/users(\\?|$)" },
  "list of invitations": { method: "GET", path: "/groups/\\w+/invites(\\?|$)" },
  project: { method: "GET", path: "/groups/\\w+(\\?|$)" },
  "list of projects": { method: "GET", path: "/orgs/\\w+/groups" },
  account: { method: "GET", path: "/users/" },
  "new project": { method: "POST", path: "/groups(\\?|$)" },
  invitation: { method: "POST", path: "/invites(\\?|$)" },
  assignment: { method: "POST", path: "/users(\\?|$)" },
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

/** A pulumi command. */
export type CommandStep =
  | {
      readonly run: "up";
      readonly fault?: WorldFault;
      /** The user interrupts when this many requests are answered. */
      readonly interruptAfter?: number;
    }
  | { readonly run: "preview" }
  | { readonly run: "refresh"; readonly fault?: WorldFault };

export type Step = ProgramStep | OutsideStep | CommandStep;

export interface World {
  readonly provider: "plugin" | "dynamic";
  readonly switches: Partial<Switches>;
  readonly steps: readonly Step[];
}
