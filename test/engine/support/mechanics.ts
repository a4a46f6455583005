/** What tests of the engine's mechanics check beside the resources: provider steps, raw files, JSON of a preview. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, repositoryRoot, type Stack } from "../../support";

/** How many of its own operations on providers a run did: `{ update: 1 }`. Providers that stay as they are are not named. */
export function providerOperations({ events }: Run): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { resOutputsEvent: event } of events) {
    const metadata = event?.metadata;
    if (metadata === undefined || !metadata.type.startsWith("pulumi:providers:")) continue;
    if (["same", "read", "refresh"].includes(metadata.op)) continue;
    counts[metadata.op] = (counts[metadata.op] ?? 0) + 1;
  }
  return counts;
}

/** The state file as it is on the disk. */
export function stateText(stack: Stack): Promise<string> {
  return readFile(join(stack.paths.state, ".pulumi", "stacks", stack.project, `${stack.name}.json`), "utf8");
}

/** One step of `pulumi preview --json` or `pulumi refresh --preview-only --json`. */
export interface JsonStep {
  readonly op: string;
  readonly urn: string;
  readonly detailedDiff: Readonly<
    Record<string, { readonly kind: string; readonly inputDiff: boolean }>
  > | null;
  readonly oldState?: { readonly inputs?: Readonly<Record<string, unknown>> };
  readonly newState?: { readonly inputs?: Readonly<Record<string, unknown>> };
}

export interface JsonDigest {
  readonly steps: readonly JsonStep[];
  readonly changeSummary: Readonly<Record<string, number>>;
}

/** The digest that a run with `--json` printed. */
export function digestOf({ stdout }: Run): JsonDigest {
  return JSON.parse(stdout) as JsonDigest;
}

/** The steps of the digest that are about the resource with this name. */
export function jsonSteps(run: Run, name: string): JsonStep[] {
  return digestOf(run).steps.filter(({ urn }) => urn.endsWith(`::${name}`));
}

/** The program that `pulumi import` wrote, as a person would take it over: below what names the project and the plugin. */
export async function useGenerated({ paths, project }: Stack, file: string): Promise<void> {
  const header = [
    `name: ${project}`,
    "runtime: yaml",
    `plugins: { providers: [{ name: opsmanager, path: ${JSON.stringify(repositoryRoot)} }] }`,
  ];
  const generated = await readFile(file, "utf8");
  await writeFile(join(paths.program, "Pulumi.yaml"), [...header, generated].join("\n"));
}

/** Every file that Pulumi wrote for the stack: state, its history and backups, event logs, logs. */
export async function filesOf({ paths }: Stack): Promise<string[]> {
  const folders = [paths.state, paths.temporary, paths.home];
  const found = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const logs = (await readdir(paths.root)).filter((name) => name.endsWith(".jsonl"));
  const files = [
    ...found.flat().flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])),
    ...logs.map((name) => join(paths.root, name)),
  ];
  return Promise.all(files.map((file) => readFile(file, "utf8")));
}

/** Where a text holds what it must not, short enough for a person to read; empty where it does not. */
export function excerpt(text: string, forbidden: RegExp): string {
  const at = text.search(forbidden);
  return at < 0 ? "" : text.slice(Math.max(0, at - 300), at + 200);
}
