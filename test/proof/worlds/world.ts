/**
 * A world: a provider, the behavior of the sandbox, and the steps that happen one after the other. Data only, so that a world
 * can be generated, shortened, printed and kept as a regression test.
 *
 * A step that is not possible at its turn has no effect. Examples are a change of a resource that
 * the program does not have, and the removal of a person who is not in the project.
 */
import type { Switches } from "../../../sandbox";
import type { Options, ResourceType } from "../engine-model";

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

/** `readers` exists before and is in `legacy`. Programs create the others. */
export const teamNames = ["readers", "operators", "night shift"] as const;
export type TeamName = (typeof teamNames)[number];
/** Resources that declare a team. Its name is an input, so it can move from one of them to the other. */
export const teamResources = ["one", "two"] as const;
export type TeamResource = (typeof teamResources)[number];

export type People = Partial<Readonly<Record<Person, readonly Role[]>>>;

/** What each declaration may have beside its inputs. */
interface Declare {
  readonly options?: Options;
  /** Registered before the other resources of its kind, which depend on it. */
  readonly first?: boolean;
  /** An input that previews do not know. */
  readonly unknown?: string;
  /** IDs that another resource of the program has are written as text, so nothing refers to that resource. */
  readonly asText?: boolean;
}

export interface IdpMapping {
  readonly roleName: Role;
  readonly idpGroups: readonly string[];
}

/** Declares a Project, or changes all of its inputs. */
export interface DeclareProject extends Declare {
  readonly declare: "Project";
  readonly slot: Slot;
  /** For `legacy` and `orders`: declared as well. */
  readonly name?: string;
  /** The first name of another project, on whose resource this one depends. */
  readonly takes?: Slot;
  readonly tags?: readonly string[];
  readonly secretTags?: boolean;
  readonly ignoreTags?: readonly string[];
  readonly ldapGroupMappings?: readonly { readonly roleName: Role; readonly ldapGroups: readonly string[] }[];
  readonly idpGroupMappings?: readonly IdpMapping[];
  readonly onDestroy?: "delete" | "release";
}

/** Declares a ProjectMember, or changes all of its inputs. */
export interface DeclareMember extends Declare {
  readonly declare: "ProjectMember";
  readonly slot: Slot;
  readonly person: Person;
  /** `username`: the name the person had when the world began; `current name`: the one of today. */
  readonly by: "username" | "userId" | "current name" | "current name and userId";
  readonly roles?: readonly Role[];
  readonly onDestroy?: "remove" | "release";
}

/** Declares a ProjectMembers, or changes all of its inputs. */
export interface DeclareMembers extends Declare {
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

/** Declares a Team, or changes all of its inputs. */
export interface DeclareTeam extends Declare {
  readonly declare: "Team";
  readonly resource: TeamResource;
  readonly team: TeamName;
  readonly people: readonly Person[];
  /** Adopts the team of this name, if there was one when the world began. */
  readonly adopts?: boolean;
  readonly removeUnlisted?: boolean;
  readonly maxRemovals?: number;
  readonly onDestroy?: "delete" | "release";
}

/** Declares a ProjectTeam, or changes all of its inputs. */
export interface DeclareProjectTeam extends Declare {
  readonly declare: "ProjectTeam";
  readonly slot: Slot;
  /** A Team of the program, or the name of a team. */
  readonly of: TeamResource | TeamName;
  readonly roles: readonly Role[];
  readonly onDestroy?: "remove" | "release";
}

/** Declares an AgentApiKey, or changes all of its inputs. */
export interface DeclareKey extends Declare {
  readonly declare: "AgentApiKey";
  readonly slot: Slot;
  readonly key: "one" | "two";
  readonly description: string;
  readonly onDestroy?: "remove" | "release";
}

/** Resources that declare an API key of the organization. */
export const apiKeyResources = ["one", "two"] as const;
export type ApiKeyResource = (typeof apiKeyResources)[number];

/** Declares an ApiKey, or changes all of its inputs. */
export interface DeclareApiKey extends Declare {
  readonly declare: "ApiKey";
  readonly resource: ApiKeyResource;
  readonly description: string;
  readonly roles: readonly string[];
  readonly accessList?: readonly string[];
  readonly onDestroy?: "remove" | "release";
}

/** Declares a ProjectApiKey, or changes all of its inputs. */
export interface DeclareProjectKey extends Declare {
  readonly declare: "ProjectApiKey";
  readonly slot: Slot;
  /** An ApiKey of the program, or the key of another program. */
  readonly of: ApiKeyResource | "theirs";
  readonly roles: readonly Role[];
  readonly onDestroy?: "remove" | "release";
}

/** Declares an OrganizationMember, or changes all of its inputs. */
export interface DeclareOrganizationMember extends Declare {
  readonly declare: "OrganizationMember";
  readonly person: Person;
  readonly roles: readonly string[];
  readonly onDestroy?: "remove" | "release";
}

/** How a name gets something into it that nobody sees or means. */
export const misspellings = {
  "zero-width space": (name: string) => `${name}\u200b`,
  "right-to-left override": (name: string) => `\u202e${name}`,
  "soft hyphen": (name: string) => name.replace(/(?<=.)/, "\u00ad"),
  "full-width @": (name: string) => name.replace("@", "\uff20"),
} as const;
export type Misspelling = keyof typeof misspellings;

/** Changes the program; `pick` chooses one of its resources. */
export type ProgramStep =
  | DeclareProject
  | DeclareMember
  | DeclareMembers
  | DeclareTeam
  | DeclareProjectTeam
  | DeclareKey
  | DeclareApiKey
  | DeclareProjectKey
  | DeclareOrganizationMember
  /** Two resources of one kind exchange their inputs. */
  | { readonly exchange: number; readonly with: number }
  /** A kind stands for its newest resource. `alone`: what refers to it stays, with its IDs as text. */
  | { readonly remove: number | ResourceType; readonly alone?: boolean }
  /** Removes all resources. */
  | { readonly remove: "all" }
  | { readonly rename: number; readonly alias: boolean }
  /** Until the end of the next command, a name in the resource is not the one that was meant. */
  | { readonly misspell: number; readonly as: Misspelling }
  /** Moves the people of a project from ProjectMember to ProjectMembers, or the other way. */
  | { readonly convert: Slot };

/** Something that other people do in the service, past this provider. */
export type OutsideStep =
  | { readonly outside: "change tags"; readonly slot: Slot; readonly tags: readonly string[] }
  /** The groups of an identity provider, or of LDAP. */
  | {
      readonly outside: "map groups";
      readonly of: "idp" | "ldap";
      readonly slot: Slot;
      readonly mappings: readonly IdpMapping[];
    }
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
  | { readonly outside: "reuse name"; readonly person: Person; readonly by: Person }
  | { readonly outside: "team people"; readonly team: TeamName; readonly people: readonly Person[] }
  | {
      readonly outside: "team roles";
      readonly team: TeamName;
      readonly slot: Slot;
      readonly roles: readonly Role[];
    }
  | { readonly outside: "delete team"; readonly team: TeamName }
  | { readonly outside: "rename team"; readonly team: TeamName }
  /** Ops Manager makes keys without a description itself. */
  | { readonly outside: "add key"; readonly slot: Slot; readonly description: string }
  | { readonly outside: "delete key"; readonly slot: Slot; readonly pick: number }
  | {
      readonly outside: "API key roles";
      readonly slot: Slot;
      readonly pick: number;
      readonly roles: readonly Role[];
    }
  | {
      readonly outside: "change API key";
      readonly pick: number;
      readonly description: string;
      readonly roles: readonly string[];
      readonly accessList?: readonly string[];
      /** Gets another private key, so that the one of the state works no more. */
      readonly isRemade?: boolean;
    }
  | { readonly outside: "delete API key"; readonly pick: number }
  | {
      readonly outside: "in organization";
      readonly does: "set roles" | "invite";
      readonly person: Person;
      readonly roles: readonly string[];
    }
  | {
      readonly outside: "in organization";
      readonly does: "remove" | "accept" | "expire" | "take back";
      readonly person: Person;
    };

/** `pulumi import` of an object that exists, and its declaration in the program as the command prints it. */
export type ImportStep =
  | { readonly import: "AgentApiKey"; readonly slot: Slot; readonly pick: number }
  | { readonly import: "Team"; readonly resource: TeamResource; readonly team: TeamName }
  | { readonly import: "ProjectTeam"; readonly slot: Slot; readonly team: TeamName }
  | { readonly import: "Project"; readonly slot: Slot }
  | { readonly import: "ProjectMembers"; readonly slot: Slot }
  | { readonly import: "ProjectMember"; readonly slot: Slot; readonly person: Person };

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

/** A pulumi command. */
export type CommandStep =
  | {
      readonly run: "up";
      readonly fault?: WorldFault;
      /** The user interrupts when this many requests are answered. */
      readonly interruptAfter?: number;
      /** The user first runs a preview. */
      readonly previewed?: boolean;
      /** After a fault or an interruption, the user changes something before the next run. */
      readonly unrepeated?: boolean;
    }
  | { readonly run: "preview" }
  /** `opsmanager drift --unmanaged`; nothing if the program is not applied. */
  | { readonly run: "drift" }
  | { readonly run: "refresh"; readonly fault?: WorldFault };

export type Step = ProgramStep | OutsideStep | ImportStep | CommandStep;

/** Settings of the provider that change what an operation does. */
export interface Settings {
  readonly refreshBeforeUpdate?: boolean;
  readonly readCacheSeconds?: number;
  readonly maxRemovalsPerRun?: number;
}

export interface World {
  readonly provider: "plugin" | "dynamic";
  /** The API key owns the organizations and has no global role. Default: it has both. */
  readonly keyRoles?: "organization" | undefined;
  readonly switches: Partial<Switches>;
  readonly settings?: Settings;
  readonly steps: readonly Step[];
}
