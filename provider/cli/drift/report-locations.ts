/** Where things are that a report points at: the program in its repository, the whole report. */
import { basename, dirname, join, relative, sep } from "node:path";
import { exists } from "../exists";
import type { Terminal } from "../terminal";

/**
 * The file of the Pulumi project, from the root of the repository that it is in, with `/`; its name alone where it is in none.
 *
 * @param file absolute
 */
export async function programFileOf(file: string): Promise<string> {
  const root = await repositoryOf(dirname(file));
  return root === undefined ? basename(file) : relative(root, file).split(sep).join("/");
}

/** A worktree and a submodule have a file of that name. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  if (await exists(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/**
 * Where a reader finds what a cut format leaves out: the file of the JSON format, and the run of GitHub Actions that writes it.
 *
 * @param file absolute, where JSON goes into one
 */
export function wholeReportLocations(
  file: string | undefined,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): readonly string[] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return [
    ...(file === undefined ? [] : [relative(cwd, file)]),
    ...(server && repository && run ? [`${server}/${repository}/actions/runs/${run}`] : []),
  ];
}
