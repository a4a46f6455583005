/** Locations that a report refers to: the program in its repository, and the complete report. */
import { basename, dirname, join, relative, sep } from "node:path";
import { exists } from "../exists";
import type { Terminal } from "../terminal";

/**
 * The file of the Pulumi project, relative to the root of its repository, with `/`; only its name
 * if it is in none.
 *
 * @param file absolute
 */
export async function programFileOf(file: string): Promise<string> {
  const root = await repositoryOf(dirname(file));
  return root === undefined ? basename(file) : relative(root, file).split(sep).join("/");
}

/** In a worktree and a submodule, `.git` is a file. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  if (await exists(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}

/**
 * The locations of the complete report, for a truncated format: the file of the JSON format, and
 * the run of GitHub Actions that writes it.
 *
 * @param file absolute, if JSON is written to one
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
