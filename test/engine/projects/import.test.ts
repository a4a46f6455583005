/** An import into a stack that has more than the folder, watched by a person who then runs it once more. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { setUpAccessFolder } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const other = `
const { dynamic } = require("@pulumi/pulumi");
const read = async () => { throw new Error("read unasked"); };
new dynamic.Resource({ create: async () => ({ id: "1", outs: {} }), read }, "other", {});
`;
const folder = `
require("pulumi-opsmanager");
const { AccessFolder } = require("pulumi-opsmanager/projects");
new AccessFolder("access", { folder: ".", provider: "plugin" });
`;

it("reads only what the folder declares, once, counts it, and leaves nothing to the first up", async () => {
  const setup = await setUpAccessFolder({
    provider: "plugin",
    sandbox: {
      orgUserChanges: "offered",
      seed: {
        users: [{ username: "ada@example.com" }],
        projects: [
          { name: "payments", members: { "ada@example.com": ["GROUP_OWNER"] } },
          { name: "billing" },
        ],
      },
    },
    files: () => ({}),
  });
  const { sandbox, stack } = setup;
  const use = (program: string) => writeFile(join(stack.paths.program, "index.js"), program);
  await use(other);
  await succeeded(stack.up());
  expect(await opsmanager(stack, ["adopt"])).toMatchObject({ exitCode: 0, stderr: "" });
  await use(other + folder);

  const { exitCode, stdout, stderr } = await opsmanager(stack, ["import"], { isWatched: true });
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^ {2}pulumi preview --diff {17}# about \d+ s\n {2}pulumi up --diff --suppress-outputs {3}# about \d+ s\n/m,
    ),
  ]);
  const counts = [...stderr.matchAll(/(\d+)\/(\d+) resources (\w+)/g)].map(([, ...count]) => count);
  const ofAll = (count: readonly (string | undefined)[]) =>
    `${count[2]} ${Number(count[0]) / Number(count[1])}`;
  const last = new Map(counts.map((count) => [count[2], ofAll(count)]));
  expect([...last.values()]).toEqual(["declared 1", "imported 1", "read 1"]);

  sandbox.clearRequests();
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.requests).toEqual([]);
  const { resources } = await stack.state();
  const people = resources.find(({ type }) => type.endsWith(":ProjectMembers"));
  expect(people?.deletedWith).toMatch(/:Project::payments$/);
  await succeeded(stack.up({ expectNoChanges: true }));
  expect(writes(sandbox)).toEqual([]);
});
