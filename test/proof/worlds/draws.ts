/** What worlds draw from. A step is written once, as the values of its properties or what they are drawn from; its type follows. */
import fc from "fast-check";
import {
  type People,
  type Person,
  people,
  type Role,
  roleNames,
  type Slot,
  slots,
  type TeamName,
  type TeamResource,
  teamNames,
} from "./names";

type Value<Given> = Given extends fc.Arbitrary<infer Drawn> ? Drawn : Given;
type Optional<Fields> = {
  [Name in keyof Fields]: undefined extends Value<Fields[Name]> ? Name : never;
}[keyof Fields];

/** The properties that are drawn. One that may be undefined is left out then. */
export type Drawn<Fields> = {
  readonly [Name in Exclude<keyof Fields, Optional<Fields>>]: Value<Fields[Name]>;
} & { readonly [Name in Optional<Fields>]?: Exclude<Value<Fields[Name]>, undefined> };

export function drawn<const Fields extends object>(fields: Fields): fc.Arbitrary<Drawn<Fields>> {
  const arbitraries = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof fc.Arbitrary ? value : fc.constant(value),
  ]);
  return fc
    .record(Object.fromEntries(arbitraries))
    .map((values) =>
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    ) as fc.Arbitrary<Drawn<Fields>>;
}

export const among = <const Option>(...options: readonly Option[]): fc.Arbitrary<Option> =>
  fc.constantFrom(...options);

/** One of `freq` has no value. */
export const maybe = <T>(value: fc.Arbitrary<T>, freq = 6): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq });

/** One of so many has the value. */
export const oneIn = <T>(count: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: count - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

export const yes = among(true);

/** Few people, for the same reason as few projects. */
export const person = among<Person>(...people, "ada", "ada", "ada", "ben", "ben");
export const somePeople = (minLength: number): fc.Arbitrary<readonly Person[]> =>
  fc.uniqueArray(person, { minLength, maxLength: 3 });
/** Few projects, so that the steps of a world meet each other. */
export const slot: fc.Arbitrary<Slot> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Slot>("legacy") },
  { weight: 4, arbitrary: fc.constant<Slot>("payments") },
  { weight: 1, arbitrary: fc.constant<Slot>("orders") },
  { weight: 1, arbitrary: fc.constant<Slot>("billing") },
);
export const slotOfProject = fc.oneof(
  { weight: 3, arbitrary: slot },
  { weight: 1, arbitrary: among(...slots) },
);
export const roles: fc.Arbitrary<readonly Role[]> = fc.subarray([...roleNames], {
  minLength: 1,
  maxLength: 2,
});
export const anyRoles: fc.Arbitrary<readonly Role[]> = fc.subarray([...roleNames]);
export const orgRoles: fc.Arbitrary<readonly string[]> = fc.subarray(
  ["ORG_MEMBER", "ORG_READ_ONLY", "ORG_GROUP_CREATOR"],
  { minLength: 1, maxLength: 2 },
);
/** Those of a person, who may own the organization. */
export const orgRolesOfPerson: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 5, arbitrary: orgRoles },
  { weight: 1, arbitrary: among(["ORG_OWNER"]) },
);
/** Those of a service account, which may have none, and may own the organization. */
export const orgRolesOfAccount = among<readonly string[]>(
  [],
  [],
  ["ORG_MEMBER"],
  ["ORG_READ_ONLY"],
  ["ORG_OWNER"],
);
export const peopleWithRoles: fc.Arbitrary<People> = fc.dictionary(person, roles, { minKeys: 1, maxKeys: 4 });
export const tags: fc.Arbitrary<readonly string[]> = fc.subarray(["PROD", "TEAM_A", "K8S_ONE", "K8S_TWO"]);
export const pick = fc.nat({ max: 5 });
/** The one that was picked, by any number. */
export const at = <T>(list: readonly T[], picked: number): T | undefined => list[picked % (list.length || 1)];
export const teamName = among<TeamName>("readers", "readers", ...teamNames, "operators", "operators");
export const teamResource = among<TeamResource>("one", "one", "two");
export const keyDescription = among("pipeline", "backup");

export interface IdpMapping<RoleName extends string = Role> {
  readonly roleName: RoleName;
  readonly idpGroups: readonly string[];
}

export const idpMappings: fc.Arbitrary<readonly IdpMapping[]> = among(
  [],
  [{ roleName: "GROUP_OWNER", idpGroups: ["platform"] }],
  [
    { roleName: "GROUP_OWNER", idpGroups: ["operators", "platform"] },
    { roleName: "GROUP_READ_ONLY", idpGroups: ["auditors"] },
  ],
);

/** What somebody else maps to roles of the organization: another group or the same one owns it, or none does. */
export const mappingsOfOrganization = among<readonly IdpMapping<"ORG_OWNER" | "ORG_READ_ONLY">[]>(
  [],
  [{ roleName: "ORG_OWNER", idpGroups: ["intruders"] }],
  [{ roleName: "ORG_OWNER", idpGroups: ["intruders", "platform"] }],
  [{ roleName: "ORG_READ_ONLY", idpGroups: ["auditors"] }],
);
