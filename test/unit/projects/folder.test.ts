import { loadFiles } from "../../../projects/load";
import { repeatedValues } from "../../../provider/resources/contract/check";
import { type Files, faultsOf, folderOf, load, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

const project = named("a");

function named(name: string): string {
  return `name: ${name}\norgId: ${orgId}\n`;
}

it("reads YAML and JSON at any depth, and leaves out other files and names that begin with _ or .", () => {
  const projects = load({
    "projects/b.yaml": named("b"),
    "projects/a.yml": named("a"),
    "projects/teams/one/c.json": JSON.stringify({ orgId, name: "c" }),
    "projects/teams/D.YAML": named("D"),
    "projects/README.md": "not a project",
    "projects/b.yaml.bak": "not a project",
    "projects/_shared.yaml": "tagz: 1",
    "projects/_defaults/x.yaml": "tagz: 1",
    "projects/teams/.git/x.yaml": "tagz: 1",
    "projects/teams/.x.yaml": "tagz: 1",
  });
  expect(projects.map(({ key, file }) => [key, file])).toEqual([
    ["a", "projects/a.yml"],
    ["b", "projects/b.yaml"],
    ["D", "projects/teams/D.YAML"],
    ["c", "projects/teams/one/c.json"],
  ]);
});

it("takes a folder by its whole path, and names files by theirs where they lie elsewhere", () => {
  const root = folderOf({ "projects/a.yaml": project });
  expect(loadFiles(root, "/").projects).toMatchObject([{ file: `${root.slice(1)}/projects/a.yaml` }]);
  expect(loadFiles("..", `${root}/projects`).projects).toMatchObject([{ file: "a.yaml" }]);
  expect(loadFiles(root, `${root}/elsewhere`).projects).toMatchObject([{ file: `${root}/projects/a.yaml` }]);
});

describe("what is declared twice is reported with both files:", () => {
  const other = "5f0c0c0c0c0c0c0c0c0c0c0d";

  it("a key, which belongs to the file with that name, and a copied file once", () => {
    expect(
      faultsOf({
        "projects/one/a.yaml": project,
        "projects/one/copy/a.yaml": project,
        "projects/two/a.yaml": `orgId: ${other}\nname: a`,
        "projects/0.yaml": `orgId: ${other}\nname: three\nkey: a`,
      }),
    ).toEqual([
      'projects/0.yaml:3:6: The key "a" is also the key of projects/one/a.yaml. Set another key in one of them.',
      `projects/one/copy/a.yaml:1:7: The project "a" is also declared by projects/one/a.yaml. Keep one file for each project.`,
      'projects/two/a.yaml:1:1: The key "a" is also the key of projects/one/a.yaml. Set another key in one of them.',
    ]);
  });

  it("a project, whose organization may be written in capitals", () => {
    expect(
      faultsOf({ "projects/a.yaml": project, "projects/b.yaml": `orgId: ${orgId.toUpperCase()}\nname: a` }),
    ).toEqual([
      `projects/b.yaml:2:7: The project "a" is also declared by projects/a.yaml. Keep one file for each project.`,
    ]);
    expect(load({ "projects/a.yaml": project, "projects/b.yaml": `orgId: ${other}\nname: a` })).toHaveLength(
      2,
    );
  });
});

/** A comparison of each value with each other one takes minutes here. */
it("finds what is declared twice among a hundred thousand projects", () => {
  const keys = Array.from({ length: 100_000 }, (_, number) => `project-${number}`);
  expect(repeatedValues([...keys, "project-7", "project-5", "project-7"])).toEqual([
    "project-7",
    "project-5",
  ]);
});

it("has one key for a file whose name is composed or decomposed, as file systems differ", () => {
  const [composed, decomposed] = ["NFC", "NFD"].map((form) => "Café".normalize(form));
  const text = `name: cafe\norgId: ${orgId}\n`;
  expect(load({ [`projects/${decomposed}.yaml`]: text })).toMatchObject([{ key: composed }]);
  expect(load({ "projects/a.yaml": `${text}key: ${decomposed}` })).toMatchObject([{ key: composed }]);
});

describe("files elsewhere in the folder are one fault, which says where they belong:", () => {
  const text = `${named("a")}members: { ada@example.com: [GROUP_OWNER] }`;
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, number) => [
      `bank/p${number + 10}.yaml`,
      text.replace("name: a", `name: p${number}`),
    ]),
  );
  const inFolder = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

  it.each<{ folder: string; files: Files; says: string }>([
    {
      folder: "projects",
      files: inFolder("projects", { ...many, "_defaults.yaml": "tags: [PROD]", "a.json": '{"key":"a"}' }),
      says: 'projects/a.json and 40 more would declare nothing here. projects is one of them, so name ".", the folder above it.',
    },
    {
      folder: "infra/projects",
      files: { "infra/projects/a.yaml": text },
      says: 'infra/projects: .* so name "infra", the folder above it.',
    },
    {
      folder: "access",
      files: inFolder("access", { ...many, "projects/b.yaml": named("b") }),
      says: "access/bank/p10.yaml and 39 more would declare nothing here. Files of projects belong in access/projects/, and those of teams and organizations in teams/ and organizations/ beside it.",
    },
    {
      folder: ".",
      files: { "Pulumi.yaml": "name: infra", "stacks/a.yaml": text },
      says: "stacks/a.yaml would",
    },
  ])("$folder", ({ folder, files, says }) => {
    const load = () => loadFiles(folder, folderOf(files));
    expect(load).toThrow(expect.objectContaining({ faults: [expect.anything()] }));
    expect(load).toThrow(new RegExp(says));
  });

  it("the folder of a program may hold anything beside them", () => {
    const program = {
      "Pulumi.yaml": "name: infra",
      "package.json": '{"name":"infra"}',
      "other/a.yaml": text,
    };
    expect(load({ ...program, "projects/b.yaml": named("b") })).toHaveLength(1);
  });
});

describe("no resource is released by mistake:", () => {
  it("a missing folder is an error", () => {
    const root = folderOf({ "projects/a.yaml": project });
    const reason = `There is no such folder. Relative paths begin at ${root}.`;
    for (const folder of ["project", "projects/a.yaml"]) {
      expect(() => loadFiles(folder, root)).toThrow(`${folder}: ${reason}`);
    }
  });

  it("every fault of every file is reported in one run, in the order of files and lines", () => {
    const root = folderOf({
      "projects/b.yaml": `${named("b")}zz: 1\ntagz: 1`,
      "projects/a.yaml": "",
      "projects/c.yaml": named("c"),
    });
    expect(() => loadFiles(".", root)).toThrow(
      expect.objectContaining({
        code: "OPSMANAGER_PROJECT_FILES",
        message: expect.stringMatching(
          /^There are 3 faults in the files; nothing was changed:\nprojects\/a.yaml: .*\nprojects\/b.yaml:3:1: .*\nprojects\/b.yaml:4:1: .*$/,
        ),
      }),
    );
  });
});

describe("a symbolic link", () => {
  it("is followed to a file in the folder, as mounted config maps have it", () => {
    const projects = load({
      "projects/..2026/a.yaml": project,
      "projects/..data": { linkTo: "..2026" },
      "projects/a.yaml": { linkTo: "..data/a.yaml" },
    });
    expect(projects).toMatchObject([{ file: "projects/a.yaml", key: "a" }]);
  });

  it.each([
    { where: "out of the folder", linkTo: "../../outside.yaml" },
    { where: "to nothing", linkTo: "nowhere.yaml" },
    { where: "to a folder", linkTo: "." },
    { where: "to nothing", linkTo: "link.yaml" },
  ])("that leads $where is refused ($linkTo)", ({ where, linkTo }) => {
    const root = folderOf({
      "outside.yaml": project,
      "access/projects/a.yaml": project,
      "access/projects/link.yaml": { linkTo },
    });
    expect(() => loadFiles("access", root)).toThrow(
      `access/projects/link.yaml: This is a symbolic link ${where}, which is not followed. Put the file itself here, or share a file with extends.`,
    );
  });
});
