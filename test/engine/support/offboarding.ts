/** Stacks of files in which people are offboarded. */
import type { SandboxOptions } from "../../../sandbox";
import { ada, orgId, owner, seed } from "../teams/support";
import { type FileContents, setUpAccessFolder } from "./access-folder";
import { opsmanager } from "./opsmanager";
import { projectNamed } from "./project-program";
import type { StackSetup, StackSetupOptions } from "./stack-setup";

export const [owns, reads] = [["GROUP_OWNER"], ["GROUP_READ_ONLY"]];

export const setUpOffboarding = (
  files: FileContents,
  switches: SandboxOptions = {},
  config: StackSetupOptions["config"] = {},
  select?: string,
) =>
  setUpAccessFolder({
    provider: "plugin",
    config: { "opsmanager:orgId": orgId, ...config },
    sandbox: {
      seed: { ...seed, projects: [{ name: "archive", members: { [owner]: owns, [ada]: reads } }] },
      bypassInvitations: true,
      ...switches,
    },
    files: () => files,
    ...(select && { select }),
  });

export async function offboard({ stack }: StackSetup, ...argv: string[]) {
  const { exitCode, stdout } = await opsmanager(stack, ["offboard", ...argv]);
  const lines = (pattern: RegExp) => stdout.split("\n").filter((line) => pattern.test(line));
  return { exitCode, stdout, lines };
}

export const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const rolesOf = ({ sandbox }: StackSetup, username: string) =>
  (sandbox.user({ username })?.roles ?? []).map(({ roleName }) => roleName).sort();

/** Those with roles of their own in the project. */
export const peopleOf = ({ sandbox }: StackSetup, project: string) => {
  const { id } = projectNamed(sandbox, project);
  const isThere = ({ groupId }: { readonly groupId?: string | undefined }) => groupId === id;
  return sandbox.state.users.filter(({ roles }) => roles.some(isThere)).map(({ username }) => username);
};
