import { faultsOf, load, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

const base = `orgId: ${orgId}\n`;

it("inherits what the file does not declare: the nearer file wins, maps are merged name by name, lists are replaced", () => {
  const [payments] = load({
    "projects/_defaults/all.yaml": `${base}tags: [ALL, EVERY]\nonDestroy: delete\nmaxRemovals: 1\nmembers:\n  ada@example.com: [GROUP_OWNER]\n  bob@example.com: [GROUP_OWNER]\nexternalTeams: { operators: [GROUP_OWNER], readers: [GROUP_READ_ONLY] }\n`,
    "projects/_defaults/prod.yaml":
      "extends: all.yaml\ntags: [PROD]\nmembers:\n  bob@example.com: [GROUP_READ_ONLY]\n",
    "projects/team/payments.yaml":
      "extends: ../_defaults/prod.yaml\nname: payments\nmembers:\n  eve@example.com: [GROUP_READ_ONLY]\nexternalTeams: { operators: [GROUP_READ_ONLY] }\n",
  });
  expect(payments).toEqual({
    file: "projects/team/payments.yaml",
    key: "payments",
    name: "payments",
    orgId,
    onDestroy: "delete",
    membership: "exclusive",
    maxRemovals: 1,
    tags: ["PROD"],
    members: {
      "ada@example.com": ["GROUP_OWNER"],
      "bob@example.com": ["GROUP_READ_ONLY"],
      "eve@example.com": ["GROUP_READ_ONLY"],
    },
    externalTeams: { operators: ["GROUP_READ_ONLY"], readers: ["GROUP_READ_ONLY"] },
  });
});

it("takes over several files, of which the later wins, also from beside the folder, from JSON, and in two ways", () => {
  const projects = load({
    "shared/org.json": JSON.stringify({
      orgId,
      tags: ["ORG"],
      externalTeams: { readers: ["GROUP_READ_ONLY"] },
    }),
    "projects/.defaults.yaml":
      "extends: ../shared/org.json\ntags: [PROD]\nexternalTeams: { operators: [GROUP_OWNER] }",
    "projects/payments.yaml": "name: payments\nextends:\n- ../shared/org.json\n- .defaults.yaml\n",
    "projects/billing.yaml": "name: billing\nextends: [.defaults.yaml, ../shared/org.json]\n",
  });
  // The file that is reached in two ways is merged where it is nearest.
  const externalTeams = { operators: ["GROUP_OWNER"], readers: ["GROUP_READ_ONLY"] };
  expect(projects).toMatchObject([
    { key: "billing", tags: ["ORG"], externalTeams },
    { key: "payments", tags: ["PROD"], externalTeams },
  ]);
});

it("keeps what is a project's own where another project extends it", () => {
  const projects = load({
    "projects/payments.yaml": `${base}key: pay\nname: Payments\ntags: [PROD]`,
    "projects/billing.yaml": "extends: payments.yaml\nname: billing",
  });
  expect(projects).toMatchObject([
    { key: "billing", name: "billing", tags: ["PROD"], orgId },
    { key: "pay", name: "Payments", tags: ["PROD"], orgId },
  ]);
});

it("names the file with the faulty value, once", () => {
  const faults = faultsOf({
    "projects/_base.yaml": `${base}name: shared\ntags: [a b]\nmembers:\n  Ada@example.com: [GROUP_A]\n`,
    "projects/payments.yaml": "extends: _base.yaml\nname: payments",
    "projects/billing.yaml": "extends: _base.yaml\nkey: bill\nmembers:\n  ada@example.com: [GROUP_A]\n",
  });
  expect(faults).toEqual([
    "projects/_base.yaml:2:1: name is not inherited. Move it to the file of the project.",
    "projects/_base.yaml:3:8: tags[0] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`.",
    'projects/billing.yaml:4:3: members names one person more than once: "Ada@example.com" and "ada@example.com" are the same name. The other is in projects/_base.yaml:5:3.',
  ]);
});

describe("is refused", () => {
  it("if it names nothing that can be taken over, or leads back to a file", () => {
    const paths = {
      absent: "_no.yaml",
      another: "_base.txt",
      backslash: "shared\\prod.yaml",
      b: "c.yaml",
      c: "b.yaml",
      cycle: "cycle.yaml",
      folder: "_folder.yaml",
      machine: "/etc/base.yaml",
      none: "[]",
      number: "7",
      "to-b": "b.yaml",
    };
    const files = Object.entries(paths).map(([name, path]): [string, string] => [
      `projects/${name}.yaml`,
      `extends: ${path}\ntags: [a b]\nname: ${name}\n`,
    ]);
    const faults = faultsOf({ "projects/_folder.yaml/x.yaml": base, ...Object.fromEntries(files) });
    expect(faults.filter((line) => line.includes(": extends "))).toEqual([
      "projects/absent.yaml:1:10: extends names _no.yaml, but there is no file projects/_no.yaml.",
      "projects/another.yaml:1:10: extends must name a file that ends with .yaml, .yml, .json, not _base.txt.",
      "projects/b.yaml:1:10: extends forms a cycle: projects/c.yaml -> projects/b.yaml -> projects/c.yaml.",
      "projects/backslash.yaml:1:10: extends must have slashes: shared/prod.yaml, not shared\\prod.yaml.",
      "projects/c.yaml:1:10: extends forms a cycle: projects/b.yaml -> projects/c.yaml -> projects/b.yaml.",
      "projects/cycle.yaml:1:10: extends forms a cycle: projects/cycle.yaml -> projects/cycle.yaml.",
      "projects/folder.yaml:1:10: extends names _folder.yaml, but there is no file projects/_folder.yaml.",
      "projects/machine.yaml:1:10: extends must be relative to this file, not /etc/base.yaml.",
      "projects/none.yaml:1:1: extends must name a file.",
      "projects/number.yaml:1:10: extends must be the path of a file, or a list of paths.",
    ]);
    // What may be in the file that cannot be read is not reported as missing; faults of the files are reported.
    expect(faults.filter((line) => line.includes(": tags[0] must have"))).toHaveLength(files.length);
    expect(faults).toHaveLength(10 + files.length);
  });

  /** Once, each way to a file was merged for itself: 22 levels took more than 100 seconds. */
  it.each([
    ["that all end", ""],
    ["with a cycle at their end", "extends: _a0.yaml"],
  ])("in two ways at each of 40 levels takes no time: ways %s", (_, end) => {
    const levels = [...Array(40).keys()].flatMap((level) =>
      ["a", "b"].map((way): [string, string] => {
        const next = level === 39 ? end : `extends: [_a${level + 1}.yaml, _b${level + 1}.yaml]`;
        return [`projects/_${way}${level}.yaml`, `tags: [${way.toUpperCase()}${level}]\n${next}`];
      }),
    );
    const started = performance.now();
    const faults = faultsOf({
      "projects/p.yaml": `${base}name: p\nextends: [_a0.yaml, _b0.yaml]`,
      ...Object.fromEntries(levels),
    });
    expect(performance.now() - started).toBeLessThan(5000);
    if (end === "") expect(faults).toEqual([]);
    else expect(faults[0]).toMatch(/^projects\/_a0\.yaml:\d+:\d+: extends forms a cycle: /);
  });

  it("if it names the file of another kind", () => {
    const files = {
      "projects/a.yaml": "name: a\nextends: ../teams/b.yaml",
      "teams/b.yaml": "name: b\nusernames: [ada]",
    };
    expect(faultsOf(files)).toEqual([
      "projects/a.yaml:2:10: extends names ../teams/b.yaml, but files of teams/ have other properties.",
    ]);
  });

  it("goes round through links to folders, whose paths have no end", () => {
    expect(
      faultsOf({
        "projects/_one": { linkTo: "." },
        "projects/_two": { linkTo: "." },
        "projects/_base.yaml": "extends: [_one/_base.yaml, _two/_base.yaml]",
        "projects/p.yaml": `${base}name: p\nextends: _base.yaml`,
      }),
    ).toEqual([
      "projects/_base.yaml:1:11: extends forms a cycle: projects/_base.yaml -> projects/_one/_base.yaml.",
      "projects/_base.yaml:1:28: extends forms a cycle: projects/_base.yaml -> projects/_two/_base.yaml.",
    ]);
  });

  it("leads through more files than a person could follow", () => {
    const files = [...Array(150).keys()].map((level) => [
      `projects/_${level}.yaml`,
      `extends: _${level + 1}.yaml`,
    ]);
    expect(
      faultsOf({ "projects/p.yaml": `${base}name: p\nextends: _0.yaml`, ...Object.fromEntries(files) }),
    ).toEqual(["projects/_98.yaml:1:10: extends leads through more than 100 files."]);
  });
});

describe("the defaults of a folder", () => {
  it("are inherited by every file of the folder and of the subfolders: a nearer value decides, as with extends", () => {
    const projects = load({
      "projects/_defaults.yaml": `${base}tags: [ALL]\nonDestroy: delete\nexternalTeams: { operators: [GROUP_OWNER] }\n`,
      "projects/prod/_defaults.json": JSON.stringify({ tags: ["PROD"] }),
      "projects/prod/payments.yaml": "extends: ../_readers.yaml\nname: payments\n",
      "projects/_readers.yaml": "externalTeams: { readers: [GROUP_READ_ONLY] }\nonDestroy: release\n",
      "projects/tools.yaml": "name: tools\ntags: [TOOLS]\n",
    });
    expect(projects).toMatchObject([
      {
        key: "payments",
        orgId,
        tags: ["PROD"],
        onDestroy: "release",
        externalTeams: { operators: ["GROUP_OWNER"], readers: ["GROUP_READ_ONLY"] },
      },
      { key: "tools", orgId, tags: ["TOOLS"], onDestroy: "delete" },
    ]);
  });

  it("may not have a name, two files, a link out of the folder, or a value with a fault", () => {
    expect(
      faultsOf({
        "projects/link/_defaults.yaml": { linkTo: __filename },
        "projects/link/a.yaml": `${base}name: one`,
        "projects/name/_defaults.yaml": `${base}name: shared`,
        "projects/name/b.yaml": `${base}name: two`,
        "projects/name/c.yaml": `${base}name: three`,
        "projects/two/_defaults.json": "{}",
        "projects/two/_defaults.yaml": base,
        "projects/two/d.yaml": `${base}name: four`,
        "projects/value/_defaults.yaml": `${base}tagz: [A]`,
        "projects/value/e.yaml": `${base}name: five`,
        "projects/value/f.yaml": `${base}name: six`,
      }),
    ).toEqual([
      "projects/link/_defaults.yaml: This is a symbolic link out of the folder, which is not followed. Put the file itself here, or share a file with extends.",
      "projects/name/_defaults.yaml:2:1: name is not inherited. Move it to the file of the project.",
      "projects/two/_defaults.json: The folder has its defaults in _defaults.yaml already. Write them into one file.",
      "projects/value/_defaults.yaml:2:1: tagz is not a property. Did you mean tags?",
    ]);
  });
});
