/**
 * Reports the source of each setting, and whether all are complete; never a secret or its length.
 */
import {
  examineSettings,
  type SettingOrigin,
  type Settings,
  type SettingsSources,
  settingsInputs,
  settingsWarnings,
} from "../../config";
import { messageOf, OpsManagerError } from "../../errors";
import { readSettingsSources } from "../settings";
import type { Terminal } from "../terminal";
import { type Finding, failed, ok, warning } from "./finding";

interface SettingsCheck {
  readonly findings: readonly Finding[];
  /** `undefined` if they are incomplete, invalid, or cannot be read. */
  readonly settings: Settings | undefined;
  /** The sources of the settings, which show which texts are secrets. */
  readonly sources: SettingsSources;
}

/** @param stack as for `pulumi --stack`; default: the selected one */
export async function checkSettings(
  terminal: Pick<Terminal, "cwd" | "env" | "stop">,
  stack: string | undefined,
): Promise<SettingsCheck> {
  try {
    const read = await readSettingsSources(terminal, stack);
    const source =
      read.stack === undefined
        ? ok("settings.stack", "No stack is selected here: only the environment counts")
        : ok("settings.stack", `stack ${read.stack}, then the environment`);
    return { ...judge(read.sources, source), sources: read.sources };
  } catch (error) {
    terminal.stop.throwIfAborted();
    if (!(error instanceof OpsManagerError)) throw error;
    const unread = failed(
      "settings.stack",
      messageOf(error),
      "The checks below use the environment's settings alone.",
    );
    return withoutStack(terminal, unread);
  }
}

/**
 * Checks the settings of the environment alone. A missing setting is not a fault then: the stack's
 * config may hold it.
 */
function withoutStack({ cwd, env }: Pick<Terminal, "cwd" | "env">, unread: Finding): SettingsCheck {
  const sources = { args: {}, env, isDefaultProvider: false, directory: cwd };
  const judged = judge(sources, unread);
  return judged.settings
    ? { ...judged, sources }
    : { findings: [{ ...unread, advice: unlessEnvironment }], settings: undefined, sources };
}

const unlessEnvironment =
  "Nothing else can be checked until it can be read, or until the environment holds address and keys (OPSMANAGER_BASE_URL, OPSMANAGER_PUBLIC_KEY, OPSMANAGER_PRIVATE_KEY).";

function judge(sources: SettingsSources, first: Finding): Pick<SettingsCheck, "findings" | "settings"> {
  const { settings, faults, origins } = examineSettings(sources);
  const findings = [
    first,
    ...origins.map((origin) => ok(`settings.${origin.name}`, describe(origin, settings))),
    ...faults.map((fault) => failed("settings.fault", fault)),
    ...(settings ? settingsWarnings(settings).map((text) => warning("settings.warning", text)) : []),
    ...(settings ? [defaults(origins)] : []),
  ];
  return { findings, settings };
}

/**
 * Describes a setting. An invalid value may be a misplaced secret, so values are shown only if all
 * settings are valid.
 */
function describe({ name, source, value }: SettingOrigin, settings: Settings | undefined): string {
  const shown = settings === undefined ? undefined : shownValue(name, value, settings);
  return shown === undefined ? `${name} from ${source}` : `${name} from ${source}: ${shown}`;
}

function shownValue(
  name: SettingOrigin["name"],
  value: string | undefined,
  settings: Settings,
): string | undefined {
  if (name === "baseUrl") return addressOf(settings);
  if (name === "proxyUrl") {
    return settings.proxyUrl === undefined ? undefined : proxyOf(settings.proxyUrl);
  }
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
  return ok("settings.defaults", `left at their defaults: ${others.join(", ") || "none"}`);
}
