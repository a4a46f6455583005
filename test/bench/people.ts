/** One changed role in a `ProjectMembers`: the requests must not grow with the number of people. */
import { useProvider } from "../engine/support/either-provider";
import { tearDownStacks } from "../engine/support/stack-setup";
import type { Program } from "../support";
import { type Operation, operations, runMeasured, type Sample, setUpMeasuredStack } from "./pulumi";
import { figure, grouped, type Row } from "./row";

const { up } = operations;
const change: Operation = { what: "`pulumi up`, one role changed", args: up.args, outcome: "updated" };
const project = { id: "a".repeat(24), name: "payments" };
/** Entries of one page of a list. */
const pageSize = 500;

export const people: Row = {
  name: "people",
  async run({ quick, print }) {
    const [few, many] = quick ? [3, 6] : [100, 1_000];
    const [small, big] = [await measure(few, print), await measure(many, print)];
    // Each reading of the members takes the further pages of the larger project, and nothing else.
    const furtherPages = Math.ceil(many / pageSize) - Math.ceil(few / pageSize);
    const target = small.requests + small.pages * furtherPages;
    return [...figuresOf(few, small), ...figuresOf(many, big, target)];
  },
};

const table = `\`ProjectMembers\`: ${change.what}`;

function figuresOf(count: number, { seconds, requests }: Sample, target?: number) {
  const line = `${grouped(count)} people`;
  const cell = (column: string) => ({ cell: { table, line, column } });
  return [
    figure(`${table}, ${line}: time`, "s", [seconds], cell("time")),
    figure(`${table}, ${line}: requests`, "requests", [requests], {
      ...cell("requests"),
      ...(target !== undefined && { target }),
    }),
  ];
}

/** `pages`: how many pages of members were read. */
async function measure(
  count: number,
  print: (line: string) => void,
): Promise<Sample & { readonly pages: number }> {
  print(`${change.what} of ${grouped(count)} people`);
  const names = Array.from({ length: count }, (_, index) => `person-${index}@example.com`);
  const members = Object.fromEntries(names.map((name) => [name, ["GROUP_READ_ONLY"]]));
  const program = (changed: Record<string, string[]>): Program => ({
    resources: {
      people: {
        type: "ProjectMembers",
        properties: { projectId: project.id, members: { ...members, ...changed } },
      },
    },
  });
  try {
    const setup = await setUpMeasuredStack("plugin", () => program({}), {
      seed: { projects: [{ ...project, members }] },
    });
    await runMeasured(setup, up, 1);
    await useProvider(setup.stack, "plugin", program({ "person-1@example.com": ["GROUP_OWNER"] }));
    const sample = await runMeasured(setup, change, 1);
    const pages = setup.sandbox.requests.filter(({ method, path, status }) => {
      return method === "GET" && path.endsWith("/users") && status === 200;
    });
    return { ...sample, pages: pages.length };
  } finally {
    await tearDownStacks();
  }
}
