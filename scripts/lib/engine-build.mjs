import { readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { dynamicProviderLauncher } from "./engine-facts.mjs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";
import { Failure } from "./script.mjs";
import { findVersion, isAtLeast } from "./version.mjs";

/**
 * The engine and the YAML host are built in one module, the hosts of Node.js, Python and Go in another: they are modules of
 * their own since sdk 3.67 (Go) and 3.69, which cannot be had, so they come from an older SDK.
 */
const engineModule = inRepository("test", "engine");
const languageHostsModule = inRepository("test", "engine", "language-hosts");

/** What the build depends on. */
export const moduleFiles = [engineModule, languageHostsModule].flatMap((module) => [
  join(module, "go.mod"),
  join(module, "go.sum"),
]);

/**
 * Builds the engine from its Go modules.
 *
 * @param {string} folder gets the binaries
 * @returns {Promise<import("./engine-facts.mjs").EngineFacts>}
 */
export async function buildEngine(folder) {
  await requireGo();
  const version = requiredVersion(engineModule);
  const languageHostsVersion = requiredVersion(languageHostsModule);
  await buildTools(engineModule, version, folder);
  await buildTools(languageHostsModule, languageHostsVersion, folder);
  await copyPythonExecutor(folder);
  writeDynamicProviderLauncher(folder);
  return { version, source: "built", nodeHostVersion: languageHostsVersion, canRunPlugins: false };
}

/** The Go that the module asks for. */
export async function requireGo() {
  const wanted = goVersion();
  const found = findVersion(await run("go", ["version"]).catch(() => ""));
  if (!isAtLeast(found, wanted)) {
    throw new Failure(
      `needs Go ${wanted} or newer, and ${found ? `this is Go ${found}` : "there is no go on PATH"}`,
    );
  }
}

export function goVersion() {
  return fromModuleFile(engineModule, /^go (\S+)/m);
}

/**
 * Builds the `tool` lines of a module. Pulumi knows its version by the linker flag only.
 *
 * @param {string} module
 * @param {string} version
 * @param {string} folder
 */
async function buildTools(module, version, folder) {
  const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  await run("go", ["build", "-trimpath", "-ldflags", `-s -w ${stamp}`, "-o", folder + sep, "tool"], {
    cwd: module,
  });
}

/** The version of Pulumi's SDK in a go.mod, so that it stands nowhere else. @param {string} module */
function requiredVersion(module) {
  return fromModuleFile(module, /github\.com\/pulumi\/pulumi\/sdk\/v3 v(\S+)/);
}

/** @param {string} module @param {RegExp} pattern */
function fromModuleFile(module, pattern) {
  const file = join(module, "go.mod");
  const found = pattern.exec(readFileSync(file, "utf8"))?.[1];
  if (found === undefined) throw new Failure(`${file} has no line that matches ${pattern}`);
  return found;
}

/**
 * The Python host starts each program with a script that stands beside it. The module that was just built holds it.
 *
 * @param {string} folder
 */
async function copyPythonExecutor(folder) {
  const name = "pulumi-language-python-exec";
  const sdk = await run("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"], {
    cwd: languageHostsModule,
  });
  // Written anew, as files of the module cache are read-only and would keep the engine's folder from being removed on Windows.
  writeFileSync(join(folder, name), readFileSync(join(sdk.trim(), "python", "cmd", name)), { mode: 0o755 });
}

/**
 * Pulumi's distributions hold this script, but no module does. The engine runs it in the program's folder, from where Node
 * finds the program's own @pulumi/pulumi.
 *
 * @param {string} folder
 */
function writeDynamicProviderLauncher(folder) {
  const find = `node -p "require.resolve('@pulumi/pulumi/cmd/dynamic-provider')"`;
  const text =
    process.platform === "win32"
      ? `@echo off\r\nfor /f "delims=" %%i in ('${find}') do node "%%i" %*\r\n`
      : `#!/bin/sh\nset -e\nprovider=$(${find})\nexec node "$provider" "$@"\n`;
  writeFileSync(join(folder, dynamicProviderLauncher), text, { mode: 0o755 });
}
