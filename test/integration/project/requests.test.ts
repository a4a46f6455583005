/** What the projects of one organization cost in requests, as the service counts them. */
import type { Sandbox } from "../../../sandbox";
import {
  bothProviders,
  errorsOf,
  pathOf,
  projectProgram,
  projectsNamed,
  projectsProgram,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const names = Array.from({ length: 12 }, (_, index) => `project-${index}`);

function programOf({ orgId }: Pick<Sandbox, "orgId">, tags: readonly string[] = ["EU"]) {
  return projectsProgram(
    Object.fromEntries(names.map((name) => [name, { properties: { orgId, name, tags } }])),
  );
}

function requests({ requests }: Sandbox): { readonly single: number; readonly lists: number } {
  const paths = requests.filter(({ authorized }) => authorized).map((request) => pathOf(request));
  const lists = paths.filter((path) => path.startsWith("/orgs/")).length;
  return { single: paths.length - lists, lists };
}

// A changed entry is read singly, and by the plugin once more for the preview of its update.
it.each([
  ["plugin", 6],
  ["dynamic", 5],
] as const)(
  "a refresh and a preview of 12 projects read four of them and one list, and drift once more (%s)",
  async (provider, mostReads) => {
    keepDefault("readCacheSeconds", "the requests of each command are counted");
    keepDefault("refreshBeforeUpdate", "the requests of each command are counted");
    const { sandbox, stack } = await setUpStack({ provider, program: (service) => programOf(service) });
    await succeeded(stack.up());
    for (const command of ["refresh", "preview"] as const) {
      sandbox.clearRequests();
      expect((await succeeded(stack[command]())).changes).toEqual({ same: 12 });
      expect(requests(sandbox)).toEqual({ single: 4, lists: 1 });
    }

    const [changed] = sandbox.state.projects.slice(-1);
    sandbox.changeProject(changed?.id ?? "", { tags: ["BY-HAND"] });
    sandbox.clearRequests();
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 11, update: 1 });
    const { single, lists } = requests(sandbox);
    expect(lists).toBe(1);
    expect(single).toBeLessThanOrEqual(mostReads);
    await succeeded(stack.up());
    expect(sandbox.project(changed?.id ?? "")?.tags).toEqual(["EU"]);
  },
);

it.each(bothProviders)(
  "settings are read from text, as the stack's config holds them (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
      config: { "opsmanager:maxRetries": "0", "opsmanager:requestTimeoutSeconds": "10" },
    });
    const busy = { status: 503, headers: { "Retry-After": "0" }, body: { error: 503 } };
    sandbox.addFault({ method: "POST", fault: busy });
    expect(await errorsOf(stack.up())).toContain("503");
    expect(projectsNamed(sandbox, "payments")).toEqual([]);

    await stack.setConfig({ "opsmanager:maxRetries": "1" });
    sandbox.addFault({ method: "POST", fault: busy });
    await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
  },
);
