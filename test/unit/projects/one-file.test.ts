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
  const [project] = loadFiles("projects", "projects", folderOf({ "projects/a.yaml": "name: a" })).projects;
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
    teams: { operators: ["GROUP_OWNER"], "5f0000000000000000000be1": ["GROUP_READ_ONLY", "GROUP_BRAND_NEW"] },
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

describe("a text with misleading characters is refused:", () => {
  it.each<[string, string, string[]]>([
    ["a name that occurs twice", "name: a\nname: b", ["3:1: name occurs twice, first in line 2."]],
    [
      "a person who is listed twice",
      "members:\n  ada@example.com: [GROUP_A]\n  ada@example.com: [GROUP_B]",
      ['4:3: members["ada@example.com"] occurs twice, first in line 3.'],
    ],
    [
      "tabs",
      "members:\n\tada@example.com: [GROUP_A]",
      ["3:1: Tabs are not allowed as indentation. Use spaces."],
    ],
    [
      "anchors and aliases",
      "tags: &prod [A]\nignoreTags: *prod",
      [
        "2:13: &prod is an anchor. Share values between files with extends.",
        "3:13: *prod is an alias. Write the value itself, or share it with extends.",
      ],
    ],
    ["tags of YAML", "name: !!str 12", ["2:13: !!str is a YAML tag. Remove it."]],
    ["own tags", "name: !env NAME", ["2:7: This is not valid YAML: Unresolved tag: !env."]],
    ["merge keys", "<<: {name: a}", ["2:1: << is a merge key. Share values between files with extends."]],
    [
      "a second document",
      "name: a\n---\nname: b",
      ["3:1: A second document begins here. Write one file for each project."],
    ],
    [
      "names that are no text",
      "1: a\n[a]: b",
      ["2:1: A name must be text. Put it in quotes.", "3:1: A name must be text. Put it in quotes."],
    ],
    [
      "a list that does not end",
      "name: a\ntags: [A",
      [
        "3:9: This is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
      ],
    ],
    [
      "a list with an entry without a value",
      "name: a\ntags: [~]",
      ["3:8: tags[0] has no value. Write one, or remove the line."],
    ],
    [
      "a name without a value",
      "tags:\nmembers:\n  ada@example.com:",
      [
        "2:6: tags has no value. Write one, or remove the line.",
        '4:19: members["ada@example.com"] has no value. Write one, or remove the line.',
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(faultsOfText(text)).toEqual(expected);
  });

  it.each<[string, string | Uint8Array, string]>([
    [
      "an empty file",
      "",
      ": The file is empty. Write the project into it, or delete the file to release its project.",
    ],
    [
      "a file of comments",
      "# a\n",
      ": The file is empty. Write the project into it, or delete the file to release its project.",
    ],
    ["a list", "- name: a", ":1:1: A project file must be a map of properties, such as name: payments."],
    ["a word", "payments", ":1:1: A project file must be a map of properties, such as name: payments."],
    [
      "another encoding",
      new Uint8Array([0xff, 0xfe, 0x6e, 0]),
      ": This is not UTF-8. Save the file in that encoding.",
    ],
  ])("%s", (_, content, expected) => {
    expect(faultsOf({ "projects/payments.yaml": content })).toEqual([`projects/payments.yaml${expected}`]);
  });
});

it("reads names that every object inherits as any others", () => {
  const named = "{ __proto__: [GROUP_OWNER], constructor: [GROUP_OWNER], toString: [GROUP_READ_ONLY] }";
  const text = `orgId: ${orgId}\nname: p\nmembership: additive\nmembers: ${named}\nteams: ${named}\napiKeys: ${named}`;
  const [project] = load({ "projects/p.yaml": text });
  const entries = [
    ["__proto__", ["GROUP_OWNER"]],
    ["constructor", ["GROUP_OWNER"]],
    ["toString", ["GROUP_READ_ONLY"]],
  ];
  for (const property of ["members", "teams", "apiKeys"] as const) {
    expect(Object.entries(project?.[property] ?? {})).toEqual(entries);
  }
});

describe("an invalid value is named with its location:", () => {
  it.each<[string, string, string[]]>([
    [
      "properties that every object inherits, and a mapping with them",
      "__proto__: 1\nconstructor: 1\nldapGroupMappings:\n- { toString: 1, roleName: GROUP_OWNER, ldapGroups: [a] }",
      [
        expect.stringContaining("2:1: __proto__ is not a property. "),
        expect.stringContaining("3:1: constructor is not a property. "),
        "5:5: toString is not a property in ldapGroupMappings[0]. Properties are: ldapGroups, roleName.",
      ],
    ],
    [
      "people with names that every object inherits, whose roles are no list",
      "members: { __proto__: 5, constructor: 5 }\nmembership: additive",
      ["2:23: members.__proto__ must be a list.", "2:39: members.constructor must be a list."],
    ],
    [
      "a person whom the Node.js SDK would lose",
      "members: { ada: [GROUP_OWNER], __proto__: [GROUP_OWNER] }",
      [
        "2:32: members.__proto__: the Node.js SDK of Pulumi loses an entry with this name. Write membership: additive, which declares each person alone.",
      ],
    ],
    [
      "texts that are no role",
      "members: { ada: ['GROUP_OWNER,GROUP_READ_ONLY', GLOBAL_OWNER, group_owner, 'GROUP_OWNER '] }",
      [
        '2:18: members.ada contains "GROUP_OWNER,GROUP_READ_ONLY", which is not a role of a project. Those look like GROUP_READ_ONLY, one in each entry.',
        '2:49: members.ada contains "GLOBAL_OWNER", which is not a role of a project. Those look like GROUP_READ_ONLY, one in each entry.',
        '2:63: members.ada contains "group_owner", which is not a role of a project. Did you mean GROUP_OWNER?',
        '2:76: members.ada contains "GROUP_OWNER ", which is not a role of a project. Did you mean GROUP_OWNER?',
      ],
    ],
    [
      "a number for a name",
      "name: 12",
      ["2:7: name must be text. 12 is a number to YAML. Put it in quotes."],
    ],
    [
      "a word that YAML takes for a truth",
      "name: true",
      ["2:7: name must be text. true is a boolean to YAML. Put it in quotes."],
    ],
    ["a name that is misspelled", "tag: [A]", ["2:1: tag is not a property. Did you mean tags?"]],
    ["a name of another tool", "users: {}", ["2:1: users is not a property. Did you mean members?"]],
    [
      "a name in another case",
      "ldap_group_mappings: []",
      ["2:1: ldap_group_mappings is not a property. Did you mean ldapGroupMappings?"],
    ],
    [
      "a name that means nothing",
      "zzz: 1",
      [
        "2:1: zzz is not a property. Properties are: apiKeys, extends, idpGroupMappings, ignoreTags, ignoreUsers, key, ldapGroupMappings, maxRemovals, members, membership, name, onDestroy, orgId, projectOwnerId, removeUnlisted, tags, teams, withDefaultAlertsSettings.",
      ],
    ],
    [
      "an id of a project",
      `projectId: ${orgId}`,
      [
        "2:1: projectId is not a property. A project file identifies a project by orgId and name. For an existing project, run opsmanager adopt and pulumi import.",
      ],
    ],
    [
      "a misspelled name inside a mapping",
      "ldapGroupMappings:\n- roleName: GROUP_OWNER\n  ldapGroup: [a]",
      [
        "3:3: ldapGroupMappings[0].ldapGroups must be a list.",
        "4:3: ldapGroup is not a property in ldapGroupMappings[0]. Did you mean ldapGroups?",
      ],
    ],
    [
      "a word that is none of the allowed ones",
      "onDestroy: retain\nmembership: some\nmembers: {ada: [GROUP_A]}",
      [
        '2:12: onDestroy must be "release" or "delete".',
        '3:13: membership must be "exclusive" or "additive".',
      ],
    ],
    [
      "tags: characters, number, twice",
      "tags: [A, b c, A, C, D, E, F, G, H, I, J]",
      [
        "2:1: tags has 11 entries; a project has at most 10.",
        "2:11: tags[1] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`.",
        '2:16: tags contains "A" more than once.',
      ],
    ],
    [
      "a tag that is left to others",
      "tags: [K8S_A]\nignoreTags: [K8S_*]",
      [
        '2:8: tags contains "K8S_A", which ignoreTags matches: remove the tag from tags or the pattern from ignoreTags.',
      ],
    ],
    [
      "a role that is mapped twice, a group that is listed twice",
      "ldapGroupMappings:\n- {roleName: GROUP_B, ldapGroups: [x, x]}\n- {roleName: GROUP_A, ldapGroups: [x]}\n- {roleName: GROUP_B, ldapGroups: [y]}",
      [
        '3:23: ldapGroupMappings[0].ldapGroups contains "x" more than once.',
        "5:14: ldapGroupMappings has more than one entry for GROUP_B: put all its groups into one.",
      ],
    ],
    [
      "people: roles that are no list, no role, a role twice, an entry that is none",
      "members:\n  ada: A\n  bob: []\n  eve: [GROUP_A, GROUP_A]\n  joe: [[GROUP_A]]",
      [
        "3:8: members.ada must be a list.",
        "4:3: members.bob must not be empty: a person without a role is not in the project.",
        '5:3: members.eve contains "GROUP_A" more than once.',
        "6:9: members.joe[0] must be text.",
      ],
    ],
    ["teams: no map", "teams: [operators]", ["2:1: teams must be a map from team to roles."]],
    [
      "teams: roles that are no list, no role, a role twice, a name that hides",
      'teams:\n  admins: A\n  operators: []\n  readers: [GROUP_A, GROUP_A]\n  "a\\tb": [GROUP_A]',
      [
        "3:11: teams.admins must be a list.",
        "4:3: teams.operators must not be empty: a team without a role is not in the project.",
        '5:3: teams.readers contains "GROUP_A" more than once.',
        '6:3: teams["a\\tb"] must not hold hidden characters: U+0009 at position 2.',
      ],
    ],
    [
      "the same person in two spellings",
      "members:\n  Ada@example.com: [GROUP_A]\n  ada@example.com: [GROUP_A]",
      [
        '4:3: members names one person more than once: "Ada@example.com" and "ada@example.com" are the same name. The other is in projects/payments.yaml:3:3.',
      ],
    ],
    [
      "a user whom ignoreUsers excludes",
      "ignoreUsers: [svc-*]\nmembers: {svc-backup: [GROUP_A]}",
      [
        '3:11: members["svc-backup"] matches ignoreUsers: remove the name from members or the pattern from ignoreUsers.',
      ],
    ],
    [
      "no members",
      "members: {}",
      ["2:1: members must not be empty. To leave the project's people unmanaged, remove members."],
    ],
    [
      "settings for people, and none",
      "maxRemovals: 1",
      ["2:1: maxRemovals has no effect without members. Add members, or remove maxRemovals."],
    ],
    [
      "settings for all members beside some",
      "membership: additive\nignoreUsers: [a]\nmembers: {ada: [GROUP_A]}",
      ["3:1: ignoreUsers requires membership: exclusive, because additive never removes anyone else."],
    ],
    ["a key that a logical name cannot be", "key: a::b", ["2:6: key must not contain ::, / or \\."]],
    [
      "a key that the Node.js SDK would lose",
      "key: __proto__",
      ["2:6: key must not be __proto__, which the Node.js SDK of Pulumi loses."],
    ],
    ["a key with blanks around it", 'key: " a"', ["2:6: key must not begin or end with blanks."]],
  ])("%s", (_, text, expected) => {
    expect(faultsOfText(text)).toEqual(expected);
  });

  it("no name, where the file's name would be the project's: a renamed file would be another project", () => {
    expect(faultsOf({ "projects/payments.yaml": `orgId: ${orgId}` })).toEqual([
      "projects/payments.yaml:1:1: name is missing. Set the project's name in the service, such as name: payments.",
    ]);
    expect(load({ "projects/payments.yaml": `orgId: ${orgId}\nkey: pay` })).toMatchObject([
      { key: "pay", name: "pay" },
    ]);
  });

  it("a file's name that no key can be, unless the file has one", () => {
    expect(faultsOf({ "projects/a::b.yaml": `orgId: ${orgId}\nname: a` })).toEqual([
      "projects/a::b.yaml: The name of the file is the project's key, which must not contain ::, / or \\. Rename the file, or set key.",
    ]);
    expect(load({ "projects/a::b.yaml": `orgId: ${orgId}\nkey: a` })).toMatchObject([
      { key: "a", name: "a" },
    ]);
  });
});
