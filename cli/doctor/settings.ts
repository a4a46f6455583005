/**
 * Reports the source of each setting, and whether all are complete; never a secret or its length.
 */
import {
  examineSettings,
  type SettingOrigin,
  type Settings,
  type SettingsSources,
  secretValuesIn,
  settingsInputs,
  settingsWarnings,
} from "../../provider/settings/config";
import { messageOf, OpsManagerError } from "../../provider/text/errors";
import { createRedact, createSettingsRedact } from "../../provider/transport";
import type { PulumiEnvironment } from "../lib/pulumi";
import { readSettingsSources } from "../lib/settings";
import { type Finding, failed, named, ok, warning } from "./results";
import type { Answer } from "./steps";

/**
 * Finds the settings unless they are incomplete, invalid or cannot be read.
 *
 * @param stack as for `pulumi --stack`; default: the selected one
 */
export async function checkSettings(terminal: PulumiEnvironment, stack: string | undefined): Promise<Answer> {
  try {
    const { sources, stack: read } = await readSettingsSources(terminal, stack);
    const source =
      read === undefined
        ? "No stack is selected: only the environment is read"
        : `stack ${read}, then the environment`;
    return judge(sources, ok(source));
  } catch (error) {
    terminal.stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    return withoutStack(terminal, messageOf(error));
  }
}

/**
 * Checks the settings of the environment alone. A missing setting is not a fault then: the stack's
 * config may hold it.
 *
 * @param reason why the stack's config cannot be read
 */
function withoutStack({ cwd, env }: PulumiEnvironment, reason: string): Answer {
  const sources = { args: {}, env, isDefaultProvider: false, directory: cwd };
  const judged = judge(sources, failed(reason, "The checks below use only the environment's settings."));
  if (judged.found?.settings) return judged;
  return { ...judged, results: [named("settings.stack", failed(reason, UNLESS_ENVIRONMENT))] };
}

const UNLESS_ENVIRONMENT =
  "Correct that, or set OPSMANAGER_BASE_URL, OPSMANAGER_PUBLIC_KEY and OPSMANAGER_PRIVATE_KEY in the environment. Nothing else can be checked before.";

/** @param stack the result for the stack's config */
function judge(sources: SettingsSources, stack: Finding): Answer {
  const { settings, faults, origins } = examineSettings(sources);
  const results = [
    named("settings.stack", stack),
    ...origins.map((one) => named(`settings.${one.name}`, ok(describeSetting(one, settings)))),
    ...faults.map((fault) => named("settings.fault", failed(fault))),
    ...(settings ? settingsWarnings(settings) : []).map((text) => named("settings.warning", warning(text))),
    ...(settings ? [named("settings.defaults", defaults(origins))] : []),
  ];
  // A client key comes from a file that a setting names, so it is not among the sources.
  const redactSources = createRedact(secretValuesIn(sources));
  const redactSettings = settings && createSettingsRedact(settings);
  const redact = (text: string) => redactSources(redactSettings?.(text) ?? text);
  return { results, found: { redact, ...(settings && { settings }) } };
}

/**
 * Describes a setting. An invalid value may be a misplaced secret, so values are shown only if all
 * settings are valid.
 */
function describeSetting(origin: SettingOrigin, settings: Settings | undefined): string {
  const shown = settings && shownValue(origin, settings);
  return `${origin.name} from ${origin.source}${shown === undefined ? "" : `: ${shown}`}`;
}

function shownValue({ name, value }: SettingOrigin, settings: Settings): string | undefined {
  if (name === "baseUrl") return addressOf(settings);
  if (name === "proxyUrl") return settings.proxyUrl && proxyOf(settings.proxyUrl);
  return value?.includes("-----BEGIN") ? "PEM text" : value;
}

export function addressOf({ origin, pathPrefix }: Settings): string {
  return origin + pathPrefix;
}

function proxyOf(address: string): string {
  const { protocol, host, username } = new URL(address);
  return `${protocol}//${host}${username === "" ? "" : ", with credentials"}`;
}

function defaults(origins: readonly SettingOrigin[]): Finding {
  const set = new Set<string>(origins.map(({ name }) => name));
  const others = Object.keys(settingsInputs.shape).filter((name) => !set.has(name));
  return ok(`left at their defaults: ${others.join(", ") || "none"}`);
}
