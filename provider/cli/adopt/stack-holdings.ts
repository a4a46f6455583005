/** What a stack's state holds of the organization's projects: what it owns is not adopted again. */
import { z } from "zod";
import { RefusedError } from "../../errors";
import { runPulumi } from "../pulumi";
import type { Terminal } from "../terminal";
import { FOLDER_TYPE } from "./import-list";

const exported = z.object({
  /** None of a stack that was never updated. */
  deployment: z
    .object({
      resources: z
        .array(
          z.object({
            urn: z.string(),
            type: z.string(),
            id: z.string().optional(),
            parent: z.string().optional(),
            delete: z.boolean().optional(),
            external: z.boolean().optional(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

type Resource = NonNullable<NonNullable<z.output<typeof exported>["deployment"]>["resources"]>[number];

export interface StackHoldings {
  /** Key of each project that is a child of the ProjectFolder, by project id. */
  readonly keys: ReadonlyMap<string, string>;
  /** URN of each project that another resource of the stack declares, by project id. */
  readonly elsewhere: ReadonlyMap<string, string>;
  holds(type: string, id: string | undefined): boolean;
}

/** Through either door. */
const isProject = /^(opsmanager:index|pulumi-nodejs:dynamic\/opsmanager):Project$/;

export const noHoldings: StackHoldings = { keys: new Map(), elsewhere: new Map(), holds: () => false };

/** @param component name of the ProjectFolder */
export async function readStackHoldings(
  stack: string,
  component: string,
  terminal: Pick<Terminal, "cwd" | "env" | "stop">,
): Promise<StackHoldings> {
  const { exitCode, stdout, stderr } = await runPulumi(["stack", "export", "--stack", stack], terminal);
  if (exitCode !== 0) {
    throw new RefusedError(`The state of stack ${stack} cannot be read: ${stderr.trim()}`);
  }
  return holdingsOf(JSON.parse(stdout), component);
}

export function holdingsOf(state: unknown, component: string): StackHoldings {
  const resources = (exported.parse(state).deployment?.resources ?? []).filter(
    (resource) => !resource.delete && !resource.external,
  );
  const isChild = ({ parent = "" }: Resource) => parent.endsWith(`${FOLDER_TYPE}::${component}`);
  const projects = resources.filter(({ type }) => isProject.test(type));
  const [children, others] = [projects.filter(isChild), projects.filter((resource) => !isChild(resource))];
  const held = new Set(resources.filter(isChild).map(({ type, id }) => `${type} ${id}`));
  return {
    keys: new Map(children.map(({ id = "", urn }) => [id, nameOf(urn)])),
    elsewhere: new Map(others.map(({ id = "", urn }) => [id, urn])),
    holds: (type, id) => held.has(`${type} ${id}`),
  };
}

/** The last part of a URN; a name may hold colons of its own. */
function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
