import { loadFiles } from "../../../projects/load";
import { faultsOf, faultsOfText, folderOf, load, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

it("takes the key from the file's name, releases a project with its file, and manages nothing that is not declared", () => {
  expect(load({ "projects/payments.yaml": `orgId: ${orgId}\nname: Payments` })).toEqual([
    {
      file: "projects/payments.yaml",
      key: "payments",
      name: "Payments",
      orgId,
      onDestroy: "release",
      membership: "exclusive",
    },
  ]);
});

it("leaves the organization to the setting of the provider, where no file names it", () => {
  const [project] = loadFiles(".", folderOf({ "projects/a.yaml": "name: a" })).projects;
  expect(project).not.toHaveProperty("orgId");
  expect(faultsOf({ "projects/a.yaml": "name: a", "projects/b.yaml": "name: a" })).toEqual([
    'projects/b.yaml:1:7: The project "a" is also declared by projects/a.yaml. Keep one file for each project.',
  ]);
});

it("hands on everything that a file declares", () => {
  const values = {
    key: "payments-eu",
    name: "Payments (EU)",
    orgId,
    tags: ["PROD"],
    ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] }],
    ignoreTags: ["K8S_*"],
    withDefaultAlertsSettings: false,
    projectOwnerId: "5f0c0c0c0c0c0c0c0c0c0c0d",
    onDestroy: "delete",
    members: { "ada@example.com": ["GROUP_OWNER", "GROUP_BRAND_NEW"] },
    membership: "exclusive",
    ignoreUsers: ["svc-*"],
    maxRemovals: 0,
    removeUnlisted: true,
    externalTeams: {
      operators: ["GROUP_OWNER"],
      "5f0000000000000000000be1": ["GROUP_READ_ONLY", "GROUP_BRAND_NEW"],
    },
  };
  const $schema = "../node_modules/pulumi-opsmanager/schemas/project-file.schema.json";
  const json = JSON.stringify({ $schema, ...values }, null, "\t");
  expect(load({ "projects/payments.json": json })).toEqual([{ ...values, file: "projects/payments.json" }]);
});

it.each([
  ["a byte order mark", `\uFEFForgId: ${orgId}\nname: Zürich\n`],
  ["line ends of Windows", `orgId: ${orgId}\r\nname: "Zürich"\r\n`],
  ["comments and the end of a document", `# all\n---\norgId: ${orgId} # own\nname: 'Zürich'\n...\n`],
])("reads a file with %s", (_, text) => {
  expect(load({ "projects/zurich.yml": text })).toMatchObject([{ orgId, name: "Zürich", key: "zurich" }]);
});

it("refuses a text with misleading characters, and what is no map of properties", () => {
  const text = (body: string) => `orgId: ${orgId}\n${body}`;
  const files = {
    "anchors.yaml": text(
      "name: a\ntags: &prod [A]\nignoreTags: *prod\nkey: !!str 12\n<<: {onDestroy: delete}",
    ),
    "comments.yaml": "# a\n",
    "conflict.yaml": text(
      "name: m\n<<<<<<< HEAD\ntags: [A]\n=======\ntags: [B]\n>>>>>>> main\nmembers:\n<<<<<<< HEAD",
    ),
    "documents.yaml": text("name: g\n---\nname: b"),
    "empty.yaml": "",
    "list.yaml": "- name: a",
    "no-end.yaml": text("name: a\ntags: [A"),
    "no-text.yaml": text("name: c\n1: a\n[a]: b"),
    "no-value.yaml": text(
      "name: d\ntags: [~]\nignoreTags:\nmembers:\n  ada@example.com:\n  bob@example.com: { roles: [GROUP_A], until: }",
    ),
    "own-tag.yaml": text("name: !env NAME"),
    "tabs.yaml": text("name: e\nmembers:\n\tada@example.com: [GROUP_A]"),
    "twice.yaml": text("name: f\nname: b\nmembers:\n  ada: [GROUP_A]\n  ada: [GROUP_B]"),
    "utf-16.yaml": new Uint8Array([0xff, 0xfe, 0x6e, 0]),
    "word.yaml": "payments",
  };
  const inFolder = Object.entries(files).map(([name, content]) => [`projects/${name}`, content]);
  const faults = faultsOf(Object.fromEntries(inFolder));
  const empty = "The file is empty. Write the project into it, or delete the file to release its project.";
  const noMap = "A project file must be a map of properties, such as name: payments.";
  expect(faults.map((line) => line.replace("projects/", ""))).toEqual([
    "anchors.yaml:3:13: &prod is an anchor. Share values between files with extends.",
    "anchors.yaml:4:13: *prod is an alias. Write the value itself, or share it with extends.",
    "anchors.yaml:5:12: !!str is a YAML tag. Remove it.",
    "anchors.yaml:6:1: << is a merge key. Share values between files with extends.",
    `comments.yaml: ${empty}`,
    "conflict.yaml:3:1: A merge conflict is here. Resolve it, and remove its markers.",
    "documents.yaml:3:1: A second document begins here. Write one file for each project.",
    `empty.yaml: ${empty}`,
    `list.yaml:1:1: ${noMap}`,
    "no-end.yaml:3:9: This is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
    "no-text.yaml:3:1: A name must be text. Put it in quotes.",
    "no-text.yaml:4:1: A name must be text. Put it in quotes.",
    "no-value.yaml:3:8: tags[0] has no value. Write one, or remove the line.",
    "no-value.yaml:4:12: ignoreTags has no value. Write one, or remove the line.",
    'no-value.yaml:6:19: members["ada@example.com"] has no value. Write one, or remove the line.',
    'no-value.yaml:7:47: members["bob@example.com"].until has no value. Write one, or remove the line.',
    "own-tag.yaml:2:7: This is not valid YAML: Unresolved tag: !env.",
    "tabs.yaml:4:1: Tabs are not allowed as indentation. Use spaces.",
    "twice.yaml:3:1: name occurs twice, first in line 2.",
    "twice.yaml:6:3: members.ada occurs twice, first in line 5.",
    "utf-16.yaml: This is not UTF-8. Save the file in that encoding.",
    `word.yaml:1:1: ${noMap}`,
  ]);
});

it("reads names that every object inherits as any others", () => {
  const named = "{ __proto__: [GROUP_OWNER], constructor: [GROUP_OWNER], toString: [GROUP_READ_ONLY] }";
  const text = `orgId: ${orgId}\nname: p\nmembership: additive\nmembers: ${named}\nexternalTeams: ${named}\nexternalApiKeys: ${named}`;
  const [project] = load({ "projects/p.yaml": text });
  const entries = [
    ["__proto__", ["GROUP_OWNER"]],
    ["constructor", ["GROUP_OWNER"]],
    ["toString", ["GROUP_READ_ONLY"]],
  ];
  for (const property of ["members", "externalTeams", "externalApiKeys"] as const) {
    expect(Object.entries(project?.[property] ?? {})).toEqual(entries);
  }
});

describe("an invalid value is named with its location:", () => {
  it("what has not the shape of a property", () => {
    const text = `tag: [A]
users: {}
ldap_group_mappings: []
projectId: ${orgId}
__proto__: 1
constructor: 1
onDestroy: retain
membership: some
tags: [A, b c, C, D, E, F, G, H, I, J, K]
ldapGroupMappings:
- {roleName: GROUP_OWNER, ldapGroup: [a]}
- {toString: 1, roleName: GROUP_A, ldapGroups: [a]}
members:
  ada: A
  bob: []
  joe: [[GROUP_A]]
  constructor: 5
  eve: ['GROUP_OWNER,GROUP_READ_ONLY', GLOBAL_OWNER, group_owner, 'GROUP_OWNER ']
teams:
  operators: []
  "a\\tb": [GROUP_A]`;
    expect(faultsOfText(text)).toEqual([
      "2:1: tag is not a property. Did you mean tags?",
      "3:1: users is not a property. Did you mean members?",
      "4:1: ldap_group_mappings is not a property. Did you mean ldapGroupMappings?",
      "5:1: projectId is not a property. A project file identifies a project by orgId and name. For an existing project, run opsmanager adopt and opsmanager import.",
      "6:1: __proto__ is not a property. Properties are: apiKeys, extends, externalApiKeys, externalTeams, idpGroupMappings, ignoreTags, ignoreUsers, key, ldapGroupMappings, maxRemovals, members, membership, minOwners, name, onDestroy, orgId, projectOwnerId, removeUnlisted, tags, teams, withDefaultAlertsSettings.",
      expect.stringContaining("7:1: constructor is not a property. "),
      '8:12: onDestroy must be "release" or "delete".',
      '9:13: membership must be "exclusive" or "additive".',
      "10:1: tags has 11 entries; a project has at most 10.",
      "10:11: tags[1] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`.",
      "12:27: ldapGroup is not a property in ldapGroupMappings[0]. Did you mean ldapGroups?",
      "13:4: toString is not a property in ldapGroupMappings[1]. Properties are: ldapGroups, roleName.",
      "15:8: members.ada must be a list. Write [A].",
      "16:3: members.bob must not be empty: a person without a role is not in the project.",
      "17:9: members.joe[0] must be text.",
      "18:16: members.constructor must be a list. Write [5].",
      '19:9: members.eve contains "GROUP_OWNER,GROUP_READ_ONLY", which is not a role of a project. Those look like GROUP_READ_ONLY, one in each entry.',
      '19:40: members.eve contains "GLOBAL_OWNER", which is not a role of a project. Those look like GROUP_READ_ONLY, one in each entry.',
      '19:54: members.eve contains "group_owner", which is not a role of a project. Did you mean GROUP_OWNER?',
      '19:67: members.eve contains "GROUP_OWNER ", which is not a role of a project. Did you mean GROUP_OWNER?',
      "21:3: teams.operators must not be empty: a team without a role is not in the project.",
      '22:3: teams["a\\tb"] must not hold hidden characters: U+0009 at position 2.',
    ]);
  });

  it("what the values mean together", () => {
    const text = `ignoreTags: [J*]
tags: [A, A, J]
ldapGroupMappings:
- {roleName: GROUP_B, ldapGroups: [x, x]}
- {roleName: GROUP_B, ldapGroups: [y]}
ignoreUsers: [svc-*]
members:
  Ada@a.com: [GROUP_A]
  ada@a.com: [GROUP_A]
  eve: [GROUP_A, GROUP_A]
  svc-backup: [GROUP_A]
  __proto__: [GROUP_A]`;
    expect(faultsOfText(text)).toEqual([
      '3:11: tags contains "A" more than once.',
      '3:14: tags contains "J", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.',
      '5:23: ldapGroupMappings[0].ldapGroups contains "x" more than once.',
      "6:14: ldapGroupMappings has more than one entry for GROUP_B: put all its groups into one.",
      '10:3: members names one person more than once: "Ada@a.com" and "ada@a.com" are the same name. The other is in projects/payments.yaml:9:3.',
      '11:3: members.eve contains "GROUP_A" more than once.',
      '12:3: members["svc-backup"] matches ignoreUsers: remove the name from members or the pattern from ignoreUsers.',
      "13:3: members.__proto__: the Node.js SDK of Pulumi loses an entry with this name. Write membership: additive, which declares each person alone.",
    ]);
  });

  it.each([
    { text: "name: 12", fault: "7: name must be text. 12 is a number to YAML. Put it in quotes." },
    { text: "key: a::b", fault: "6: key must not contain ::, / or \\." },
    { text: 'key: " a"', fault: "6: key must not begin or end with blanks." },
    {
      text: "key: __proto__",
      fault: "6: key must not be __proto__, which the Node.js SDK of Pulumi loses.",
    },
    {
      text: "members: {}",
      fault: "1: members must not be empty. To leave the project's people unmanaged, remove members.",
    },
    {
      text: "maxRemovals: 1",
      fault: "1: maxRemovals has no effect without members. Add members, or remove maxRemovals.",
    },
    {
      text: "ignoreUsers: [a]\nmembership: additive\nmembers: {ada: [GROUP_A]}",
      fault: "1: ignoreUsers requires membership: exclusive, because additive never removes anyone else.",
    },
  ])("$text", ({ text, fault }) => {
    expect(faultsOfText(text)).toEqual([`2:${fault}`]);
  });

  it.each([
    {
      mistake: "members: { ada: [GROUP_OWNR] }\nminOwners: 1",
      fault:
        '2:18: members.ada contains "GROUP_OWNR", which is not a role of a project. Did you mean GROUP_OWNER?',
    },
    {
      mistake: "members: {}\nminOwners: 1",
      fault: "2:1: members must not be empty. To leave the project's people unmanaged, remove members.",
    },
    {
      mistake: "members:\n  ada: [GROUP_OWNER]\n  until: 2026-12-31",
      fault:
        "4:10: members.until must be a list. A last day stands in the entry that ends: { roles: [...], until: 2026-12-31 }.",
    },
    {
      mistake: "until: 2026-12-31",
      fault:
        "2:1: until is not a property. A last day stands in the entry that ends: { roles: [...], until: 2026-12-31 }.",
    },
    { mistake: "usernames: [ada]", fault: "2:1: usernames is not a property. Files in teams/ have it." },
    {
      mistake: "tags: PROD: EU",
      fault:
        "2:7: This is not valid YAML: Nested mappings are not allowed in compact mappings. Put a text with a colon in quotes.",
    },
  ])("one mistake is one fault, which says what to do: $mistake", ({ mistake, fault }) => {
    expect(faultsOf({ "projects/payments.yaml": `name: payments\n${mistake}` })).toEqual([
      `projects/payments.yaml:${fault}`,
    ]);
  });

  it("a misspelled property is not missing as well", () => {
    expect(
      faultsOf({
        "organizations/acme.yaml": "key: acme\nmember: { ada: [ORG_OWNER] }\nminOwners: 1",
        "projects/a.yaml": "names: a",
        "teams/b.yaml": "name: b\nmembers: [ada]",
      }),
    ).toEqual([
      "organizations/acme.yaml:2:1: member is not a property. Did you mean members?",
      "projects/a.yaml:1:1: names is not a property. Did you mean name?",
      "teams/b.yaml:2:1: members is not a property. Did you mean usernames?",
    ]);
    const key = (properties: string) =>
      faultsOf({ "organizations/acme.yaml": `key: acme\napiKeys:\n  ci: { ${properties} }` });
    expect(key("roles: [ORG_MEMBER], untill: 2026-12-31")).toEqual([
      "organizations/acme.yaml:3:3: apiKeys.ci.description is missing.",
      "organizations/acme.yaml:3:30: untill is not a property in apiKeys.ci. Did you mean until?",
    ]);
  });

  it("no name, where the file's name would be the project's: a renamed file would be another project", () => {
    expect(faultsOf({ "projects/payments.yaml": `orgId: ${orgId}` })).toEqual([
      "projects/payments.yaml:1:1: name is missing. Set the project's name in the service, such as name: payments.",
    ]);
    expect(load({ "projects/payments.yaml": `orgId: ${orgId}\nkey: pay` })).toMatchObject([
      { key: "pay", name: "pay" },
    ]);
  });
});
