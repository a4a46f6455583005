/** Every text of a program, a project file or a lookup that the service gets is checked for what hides in it. */

import { projectFileSource } from "../../../projects/project-file";
import { lookups } from "../../../provider/functions";
import { checkLookup } from "../../../provider/functions/lookup";
import { resourceNamed } from "../../../provider/resources";
import { isList, isRecord, type Properties, type Value } from "../../../provider/resources/contract/values";
import { type ResourceKind, resourceKinds } from "../../../provider/resources/kinds";
import { faultsOf, removeFolders } from "../projects/folder";
import { accepted, id, orgId, projectId } from "./accepted";
import { checker, newSession, urnOf } from "./checker";

afterEach(removeFolders);

const roles = ["GROUP_READ_ONLY"];
const until = "2999-12-31";

/** Further texts, and those that the inputs of a kind exclude. */
const others: Partial<Record<ResourceKind, { readonly beside?: Properties; readonly instead?: Properties }>> =
  {
    Project: {
      beside: { projectOwnerId: id },
      instead: {
        orgId,
        name: "payments",
        idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["ops"] }],
      },
    },
    ProjectMembers: { beside: { until: { "ada@example.com": until } } },
    Team: { beside: { until: { "ada@example.com": until } } },
    ProjectMember: { beside: { until } },
    OrganizationMember: { beside: { until } },
    ApiKey: { beside: { until } },
    Organization: {
      instead: { orgId, ldapGroupMappings: [{ roleName: "ORG_OWNER", ldapGroups: ["cn=ops"] }] },
    },
    ProjectTeam: { beside: { until }, instead: { projectId, teamName: "operators", roles } },
    ProjectApiKey: { beside: { until }, instead: { projectId, publicKey: "abcdefgh", roles } },
  };

/** Inputs of a kind with all its texts. Where two exclude each other there are two programs. */
function programsOf(kind: ResourceKind): readonly [Properties, ...Properties[]] {
  const { beside, instead } = others[kind] ?? {};
  return [{ ...accepted[kind].given, ...beside }, ...(instead ? [instead] : [])];
}

/** What hides nowhere: no text, or any text, which is compared and not sent. */
const withoutNames = ["maxRemovals", "removeUnlisted", "withDefaultAlertsSettings", "triggers"];

const isName = (property: string) => !withoutNames.includes(property);
const hide = (text: string) => `${text}\u200b`;

/** The value with something hidden in one of its texts, in turn. */
function hiding(value: Value): readonly Value[] {
  if (typeof value === "string") return [hide(value)];
  if (isList(value)) {
    return value.flatMap((entry, index) => hiding(entry).map((changed) => value.with(index, changed)));
  }
  return Object.entries(propertiesOf(value)).flatMap(([name, entry]) =>
    hiding(entry).map((changed) => ({ ...propertiesOf(value), [name]: changed })),
  );
}

function propertiesOf(value: Value): Properties {
  return isRecord(value) ? (value as Properties) : {};
}

/** Each program with something hidden in one of its texts. The names in these maps are texts too. */
function programsHiding(program: Properties, maps: readonly string[]): Properties[] {
  const named = Object.entries(program).filter(([property]) => isName(property));
  return named.flatMap(([property, value]) => {
    const entries = maps.includes(property) ? Object.entries(propertiesOf(value)) : [];
    const keys = entries.map(([name, entry]): Value => ({ [hide(name)]: entry }));
    return [...hiding(value), ...keys].map((changed): Properties => ({ ...program, [property]: changed }));
  });
}

describe.each(resourceKinds)("%s", (kind) => {
  const { inputs: schema, check, maps = [] } = resourceNamed(kind);

  it("has no property in which something may hide", () => {
    const named = Object.keys(schema.shape).filter(isName);
    expect([...new Set(programsOf(kind).flatMap(Object.keys).filter(isName))].sort()).toEqual(named.sort());
    for (const program of programsOf(kind)) {
      expect(checker(kind, check)(program).failures).toEqual([]);
      const unnoticed = programsHiding(program, maps).filter(
        (changed) => checker(kind, check)(changed).failures.length !== 1,
      );
      expect(unnoticed).toEqual([]);
    }
  });
});

it.each<[ResourceKind, Properties]>([
  ["Project", { name: hide("payments") }],
  ["Project", { ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["a", hide("cn=ops")] }] }],
  ["ProjectMembers", { members: { [hide("ada")]: ["GROUP_OWNER"] } }],
  ["Team", { usernames: ["bob", hide("ada")] }],
  ["OrganizationMember", { username: '"ada@example.com"' }],
  ["AgentApiKey", { description: "of\nagents" }],
])("%s keeps a name that the state has (%j), wherever it stands there, with a warning", (kind, recorded) => {
  const { check } = resourceNamed(kind);
  const [program] = programsOf(kind);
  const inputs = { ...program, ...recorded };
  expect(checker(kind, check)(inputs).failures).toHaveLength(1);

  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  const context = { session: newSession(), urn: urnOf(kind, "it"), log };
  const oldInputs = { ...inputs, ...(kind === "Team" && { usernames: [hide("ada"), "bob"] }) };
  const others = kind === "ProjectMembers" ? { members: { [hide("ada")]: roles } } : {};
  expect(check({ inputs: { ...inputs, ...others }, oldInputs, context }).failures).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/ It stays, because the state has this name already\.$/)]);
});

it("a lookup by a name with something hidden is refused", () => {
  const byName: Readonly<Record<string, Properties>> = {
    getOrganization: { name: hide("platform") },
    getProject: { orgId, name: hide("payments") },
    getProjects: { tags: [hide("PROD")] },
    getProjectInvitations: { projectId, username: hide("ada@example.com") },
  };
  for (const lookup of lookups) {
    const { [lookup.name]: args } = byName;
    if (args === undefined) expect(Object.keys(lookup.inputs.shape)).not.toContain("name");
    else
      expect(checkLookup(lookup, args)).toEqual([
        expect.objectContaining({ reason: expect.stringContaining("U+200B") }),
      ]);
  }
});

it("a project file has no property in which something may hide, and names the place", () => {
  const file: Properties = {
    ...programsOf("Project")[0],
    key: "payments",
    members: { ada: roles },
    membership: "exclusive",
    ignoreUsers: ["svc-*"],
    externalTeams: { operators: roles },
    externalApiKeys: { abcdefgh: roles },
  };
  const { projectId: _, ...values } = file;
  // The names of the folder's own must be in another file as they are here.
  const without = [
    ...withoutNames,
    "$schema",
    "extends",
    "idpGroupMappings",
    "teams",
    "apiKeys",
    "minOwners",
  ];
  expect(Object.keys(values).sort()).toEqual(
    Object.keys(projectFileSource.shape)
      .filter((property) => !without.includes(property))
      .sort(),
  );
  const maps = ["members", "externalTeams", "externalApiKeys"];
  const faults = (changed: Properties) => faultsOf({ "projects/p.json": JSON.stringify(changed, null, 1) });
  expect(faults(values)).toEqual([]);
  const accepted = programsHiding(values, maps).filter(
    (changed) => !/^projects\/p\.json:\d+:\d+: /.test(faults(changed).join("\n")),
  );
  expect(accepted).toEqual([]);
  expect(faults({ ...values, members: { [hide("ada@example.com")]: roles } })).toEqual([
    expect.stringMatching(
      /^projects\/p\.json:\d+:3: members\["ada@example\.com\\u200b"\] must not hold hidden characters: U\+200B at position 16\.$/,
    ),
  ]);
});
