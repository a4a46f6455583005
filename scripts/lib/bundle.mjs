import { build } from "esbuild";
import { inRepository, repositoryRoot } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * The built plugin and all that it needs of its packages, as one CommonJS file. Not minified: a stack trace in a bug report
 * shall be readable, and it starts no slower.
 *
 * @returns {Promise<{ code: string, packageFolders: string[] }>} the folders of the packages that went in, sorted
 */
export async function bundlePlugin() {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [inRepository("dist", "provider", "index.js")],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    // grpc-js loads it for its administration services only, which the plugin does not offer.
    external: ["@grpc/proto-loader"],
    legalComments: "none", // the license texts stand in a file of their own, whole
    logLevel: "silent",
  });
  if (warnings.length > 0) throw new Failure(`bundling warned:\n${warnings.map(describe).join("\n")}`);
  return { code: outputFiles[0]?.text ?? "", packageFolders: packageFoldersOf(Object.keys(metafile.inputs)) };
}

/** @param {import("esbuild").Message} message */
function describe({ text, location }) {
  return location ? `${location.file}:${location.line}: ${text}` : text;
}

/** @param {readonly string[]} files relative to the repository, with forward slashes */
function packageFoldersOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}
