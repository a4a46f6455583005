/** A copy of the sources in a temporary folder, and what the compiler finds in it. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { filesBelow } from "../../../scripts/lib/files.mjs";
import { repositoryRoot } from "../../support/repository";
import type { Edit } from "./edits";

/** The steps of a section of CONTRIBUTING.md, without their numbers. */
export function stepsOf(heading: string): string[] {
  const text = readFileSync(join(repositoryRoot, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = text.split(`## ${heading}\n`);
  const [steps = ""] = section.split(/^## /m);
  return steps.split(/^\d+\. /m).slice(1);
}

export class Copy {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), "opsmanager-new-resource-"));

  constructor() {
    const copied = "cli projects provider sandbox sdk/nodejs package.json tsconfig.json";
    for (const name of copied.split(" "))
      cpSync(join(repositoryRoot, name), join(this.folder, name), { recursive: true });
    symlinkSync(realpathSync(join(repositoryRoot, "node_modules")), join(this.folder, "node_modules"));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Makes the edits in the files. */
  apply(edits: readonly Edit[]): void {
    for (const edit of edits) {
      const path = join(this.folder, edit.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, edit.apply(existsSync(path) ? readFileSync(path, "utf8") : ""));
    }
  }

  /**
   * The errors that the compiler reports in the files of the edits and in all others that name kinds of resources. The classes of the
   * dynamic provider are left out: loading the types of Pulumi's SDK takes longer than everything else.
   */
  errors(edits: readonly Edit[]): string[] {
    const checked = this.#filesToCheck(edits);
    const program = ts.createProgram(checked, this.#options);
    return checked
      .flatMap((path) => program.getSemanticDiagnostics(program.getSourceFile(path)))
      .map(({ file, messageText }) => {
        const place = file?.fileName.slice(this.folder.length + 1) ?? "";
        return `${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
      });
  }

  /** The resources of the copy, connected to its sandbox. */
  async connect() {
    const load = (path: string) => require(join(this.folder, path));
    type Client = typeof import("../../../provider/api/client");
    type Settings = typeof import("../../../provider/settings/config");
    type Sessions = typeof import("../../../provider/resources/contract/session");
    const { startSandbox } = load("sandbox") as typeof import("../../../sandbox");
    const { createClient } = load("provider/api/client") as Client;
    const { resolveSettings } = load("provider/settings/config") as Settings;
    const { resourceNamed } = load("provider/resources") as typeof import("../../../provider/resources");
    const { Session } = load("provider/resources/contract/session") as Sessions;
    const sandbox = await startSandbox();
    const { baseUrl, publicKey, privateKey } = sandbox;
    const settings = resolveSettings({
      args: { baseUrl, publicKey, privateKey, maxRetries: 0 },
      env: {},
      isDefaultProvider: false,
      directory: this.folder,
    });
    const client = createClient(settings, () => undefined);
    return {
      sandbox,
      resourceOf: resourceNamed,
      context: {
        session: new Session(client, settings),
        urn: "urn:pulumi:dev::proj::opsmanager:index:Copied::one",
        log: { info: () => undefined, warn: () => undefined },
        signal: new AbortController().signal,
      },
      close: async () => {
        await client.close();
        await sandbox.close();
      },
    };
  }

  get #options(): ts.CompilerOptions {
    const { config } = ts.readConfigFile(join(this.folder, "tsconfig.json"), ts.sys.readFile);
    const compilerOptions = { ...config.compilerOptions, types: ["node"] };
    return ts.parseJsonConfigFileContent({ compilerOptions }, ts.sys, this.folder).options;
  }

  #filesToCheck(edits: readonly Edit[]): string[] {
    const edited = edits.map(({ path }) => join(this.folder, path)).filter((path) => path.endsWith(".ts"));
    const naming = ["cli", "projects", "provider"]
      .flatMap((name) => filesBelow(join(this.folder, name), /\.ts$/))
      .filter((path) => !path.startsWith(join(this.folder, "provider", "dynamic")))
      .filter((path) => /\bresourceKinds?\b/i.test(readFileSync(path, "utf8")));
    return [...new Set([...edited, ...naming])];
  }
}
