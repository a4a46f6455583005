import { build } from "esbuild";
import { inRepository, repositoryRoot } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * The files of the plugin that Node.js starts or loads by themselves. One file for all would be five times as large, and each
 * start of the plugin would read it.
 */
const entries = ["provider/index.js", "projects/construct.js", "cli/main.js", "sandbox/main.js"];

/**
 * What the SDK loads to serialize functions of dynamic providers and to run `pulumi`, and zod's messages in languages other than
 * English. Nothing here needs them, and with the first two the bundle would be three times as large.
 */
const unused = /\/(closure\/\w+|automation|locales\/index\.cjs)$/;

/**
 * The built plugin and command with all that they need of their packages, as CommonJS files. Not minified: a stack trace in a
 * bug report shall be readable, and they start no slower.
 *
 * @returns paths below `dist`, and the
 * folders of the packages that went in, sorted
 */
export async function bundlePlugin(): Promise<{
  files: { path: string; content: string }[];
  packageFolders: string[];
}> {
  const bundles = await Promise.all(entries.map(bundle));
  const inputs = bundles.flatMap(({ inputs }) => inputs);
  return {
    files: bundles.map(({ path, content }) => ({ path, content })),
    packageFolders: packageFoldersOf(inputs),
  };
}

async function bundle(path: string) {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [inRepository("dist", path)],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    // grpc-js loads the loader for its administration services only, which the plugin does not offer. What Construct declares
    // is never of the dynamic provider.
    external: ["@grpc/proto-loader", "../projects/construct", "../provider/dynamic"],
    plugins: [{ name: "unused", setup: leaveOutUnused }],
    legalComments: "none", // the license texts stand in a file of their own, whole
    logLevel: "silent",
  });
  if (warnings.length > 0) throw new Failure(`bundling warned:\n${warnings.map(describe).join("\n")}`);
  return { path, content: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs) };
}

function leaveOutUnused({ onResolve, onLoad }: import("esbuild").PluginBuild) {
  onResolve({ filter: unused }, () => ({ path: "unused", namespace: "unused" }));
  onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
}

function describe({ text, location }: import("esbuild").Message) {
  return location ? `${location.file}:${location.line}: ${text}` : text;
}

/** @param files relative to the repository, with forward slashes */
function packageFoldersOf(files: readonly string[]) {
  const folders = files.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}
