/**
 * A world of teams, agent API keys and the people of one project: data only, like the worlds of projects and people (`../worlds/world.ts`). A step that is not
 * possible when its turn comes does nothing.
 */
import fc from "fast-check";
import type { Switches } from "../../../sandbox";
import { type FaultKind, faultKinds } from "../worlds/world";

export const people = ["ada", "ben", "cleo", "dora"] as const;
export type Person = (typeof people)[number];

/** `operators` is created by programs, `readers` exists before and is in the project. */
export const teams = ["operators", "readers"] as const;
export type TeamName = (typeof teams)[number];

export const keys = ["one", "two"] as const;

const roleNames = ["GROUP_OWNER", "GROUP_READ_ONLY", "GROUP_USER_ADMIN"] as const;

interface DeclareTeam {
  readonly declare: "Team";
  readonly team: TeamName;
  readonly people: readonly Person[];
  readonly removeUnlisted?: boolean;
  readonly maxRemovals?: number;
  readonly onDestroy?: "delete" | "release";
}

interface DeclareProjectTeam {
  readonly declare: "ProjectTeam";
  readonly team: TeamName;
  /** `id`: that of the Team of the program, if it declares one. */
  readonly by: "name" | "id";
  readonly roles: readonly string[];
  readonly onDestroy?: "remove" | "release";
}

interface DeclareKey {
  readonly declare: "AgentApiKey";
  readonly key: (typeof keys)[number];
  readonly description: string;
  readonly onDestroy?: "remove" | "release";
}

interface DeclareMember {
  readonly declare: "ProjectMember";
  readonly person: Person;
  readonly roles: readonly string[];
  readonly onDestroy?: "remove" | "release";
}

/** A program has either this or resources of kind ProjectMember. */
interface DeclareMembers {
  readonly declare: "ProjectMembers";
  readonly people: readonly Person[];
  readonly roles: readonly string[];
  readonly removeUnlisted?: boolean;
  readonly maxRemovals?: number;
  readonly onDestroy?: "remove" | "release";
}

export type Declare = DeclareTeam | DeclareProjectTeam | DeclareKey | DeclareMember | DeclareMembers;

export type Outside =
  | { readonly outside: "team people"; readonly team: TeamName; readonly people: readonly Person[] }
  | { readonly outside: "team roles"; readonly team: TeamName; readonly roles: readonly string[] }
  | { readonly outside: "delete team"; readonly team: TeamName }
  | { readonly outside: "rename team"; readonly team: TeamName }
  /** The roles that the person has directly in the project. No roles: the person leaves it. */
  | { readonly outside: "member roles"; readonly person: Person; readonly roles: readonly string[] }
  | { readonly outside: "rename account"; readonly person: Person }
  | { readonly outside: "add key"; readonly description: string }
  | { readonly outside: "delete key"; readonly pick: number };

export interface TeamFault {
  readonly path: "teams" | "users" | "agentapikeys" | "";
  readonly isWrite: boolean;
  readonly kind: FaultKind;
}

export type TeamStep =
  | Declare
  | { readonly remove: number }
  | { readonly remove: "all" }
  | Outside
  | { readonly run: "up"; readonly fault?: TeamFault; readonly interruptAfter?: number }
  | { readonly run: "preview" }
  | { readonly run: "refresh"; readonly fault?: TeamFault };

export interface TeamWorld {
  readonly provider: "plugin" | "dynamic";
  readonly switches: Partial<Switches>;
  readonly steps: readonly TeamStep[];
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** Without the entries that are undefined. */
const compact = <T extends object>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map((value) =>
    Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)),
  );

const person = fc.constantFrom(...people);
const team = fc.constantFrom<TeamName>("operators", "operators", "readers");
const somePeople = fc.subarray([...people], { minLength: 1, maxLength: 3 });
const roles = fc.subarray([...roleNames], { minLength: 1, maxLength: 2 });
const description = fc.constantFrom("agents", "backup agents");
const pick = fc.nat({ max: 4 });

const declaration = compact(
  fc.oneof(
    fc.record({
      declare: fc.constant("Team"),
      team,
      people: somePeople,
      removeUnlisted: maybe(fc.boolean()),
      maxRemovals: maybe(fc.constantFrom(0, 1)),
      onDestroy: maybe(fc.constantFrom("delete", "release")),
    }),
    fc.record({
      declare: fc.constant("ProjectTeam"),
      team,
      by: fc.constantFrom("name", "id"),
      roles,
      onDestroy: maybe(fc.constantFrom("remove", "release")),
    }),
    fc.record({
      declare: fc.constant("ProjectMember"),
      person,
      roles,
      onDestroy: maybe(fc.constantFrom("remove", "release")),
    }),
    fc.record({
      declare: fc.constant("ProjectMembers"),
      people: somePeople,
      roles,
      removeUnlisted: maybe(fc.boolean()),
      maxRemovals: maybe(fc.constantFrom(0, 1)),
      onDestroy: maybe(fc.constantFrom("remove", "release")),
    }),
    fc.record({
      declare: fc.constant("AgentApiKey"),
      key: fc.constantFrom(...keys),
      description,
      onDestroy: maybe(fc.constantFrom("remove", "release")),
    }),
  ),
);

const outside = fc.oneof(
  fc.record({ outside: fc.constant("team people"), team, people: fc.subarray([...people]) }),
  fc.record({ outside: fc.constant("team roles"), team, roles: fc.subarray([...roleNames]) }),
  fc.record({ outside: fc.constant("delete team"), team }),
  fc.record({ outside: fc.constant("rename team"), team }),
  fc.record({ outside: fc.constant("member roles"), person, roles: fc.subarray([...roleNames]) }),
  fc.record({ outside: fc.constant("rename account"), person }),
  fc.record({ outside: fc.constant("add key"), description }),
  fc.record({ outside: fc.constant("delete key"), pick }),
);

const fault = fc.record({
  path: fc.constantFrom("teams", "users", "agentapikeys", ""),
  isWrite: fc.boolean(),
  // A timeout takes seconds.
  kind: fc.constantFrom(...Object.keys(faultKinds).filter((kind) => kind !== "no response in time")),
});

const command = compact(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ run: fc.constant("up") }) },
    { weight: 4, arbitrary: fc.record({ run: fc.constant("up"), fault }) },
    { weight: 2, arbitrary: fc.record({ run: fc.constant("up"), interruptAfter: fc.nat({ max: 12 }) }) },
    { weight: 2, arbitrary: fc.record({ run: fc.constant("preview") }) },
    { weight: 2, arbitrary: fc.record({ run: fc.constant("refresh"), fault: maybe(fault) }) },
  ),
);

const switches = compact(
  fc.record({
    teamAnswers: maybe(fc.constantFrom("all", "changed")),
    addedTeamAgain: maybe(fc.constant("replace")),
    foreignTeam: maybe(fc.constant("TEAM_NOT_IN_ORG")),
    severalTeams: maybe(fc.constant("one-by-one")),
    usedTeam: maybe(fc.constant("vanish")),
    usernamesOfNewTeam: maybe(fc.constant("ignore")),
    lastTeamUser: maybe(fc.constant("remove")),
    deleteTeamStatus: maybe(fc.constantFrom("200", "202")),
    flattenTeams: maybe(fc.constant(true)),
    // By default, people without a project are invited.
    accountLookup: maybe(fc.constant("organization")),
    teamRolesInUsers: maybe(fc.constant(true)),
    teamOwners: maybe(fc.constant(true)),
    orgOwners: maybe(fc.constant(true)),
    agentKeyStatus: maybe(fc.constant("200")),
    agentKeyId: maybe(fc.constant("id")),
    agentKeyTime: maybe(fc.constant("text")),
    agentKeyList: maybe(fc.constant("results")),
    agentKeyInAnswer: maybe(fc.constant(false)),
    lastAgentKey: maybe(fc.constant("keep")),
    unknownAgentKey: maybe(fc.constant("RESOURCE_NOT_FOUND")),
    unknownPath: maybe(fc.constantFrom("bare", "web-page")),
  }),
);

/** @param longest most steps of a world */
export function teamWorlds(shortest: number, longest: number): fc.Arbitrary<TeamWorld> {
  const step = fc.oneof(
    { weight: 5, arbitrary: declaration },
    { weight: 1, arbitrary: fc.record({ remove: pick }) },
    { weight: 3, arbitrary: outside },
    { weight: 5, arbitrary: command },
  );
  const end = fc.constantFrom<readonly TeamStep[]>([], [{ run: "up" }, { remove: "all" }, { run: "up" }]);
  return fc
    .record({
      provider: fc.constantFrom("plugin", "plugin", "dynamic"),
      switches,
      steps: fc
        .tuple(
          fc.array(declaration, { minLength: 1, maxLength: 3 }),
          fc.array(step, { minLength: Math.max(1, shortest - 2), maxLength: longest - 7, size: "max" }),
          end,
        )
        .map(([declarations, steps, last]) => [...declarations, { run: "up" }, ...steps, ...last]),
    })
    .map((world) => world as TeamWorld);
}
