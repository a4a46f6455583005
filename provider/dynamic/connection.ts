/**
 * The one connection of a process to the service that the stack's settings name. The host of
 * dynamic providers and the program itself, for its lookups, are two processes; each has its own.
 */
import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../api/client";
import { Session } from "../resources/contract/session";
import { resolveSettings, settingsInputs, settingsWarnings } from "../settings/config";
import { visibleText } from "../text/visible-text";

export interface Connection {
  readonly session: Session;
  /** Each warning is logged once. */
  readonly warnings: Set<string>;
}

/** The stack's `opsmanager:` settings as it holds them: always text. */
export type StackSettings = Readonly<Record<string, string | undefined>>;

/** @param get reads one key of the stack's config, such as `opsmanager:baseUrl` */
export function readSettings(get: (key: string) => string | undefined): StackSettings {
  const names = Object.keys(settingsInputs.shape);
  return Object.fromEntries(names.map((name) => [name, get(`opsmanager:${name}`)]));
}

/** Connections by the effective settings: those of the stack and of the environment. */
const connections = new Map<string, Connection>();

/**
 * Nothing is read or sent before the first call of the result, which throws a fault of the settings.
 * The same settings give the same connection. In one process of the Automation API, another stack or
 * another environment has another connection.
 */
export function connectWith(stackConfig: StackSettings): () => Connection {
  const { env } = process;
  const directory = process.cwd();
  let made: Connection | undefined;
  return () => {
    made ??= connect(resolveSettings({ args: {}, stackConfig, env, isDefaultProvider: false, directory }));
    return made;
  };
}

function connect(settings: ReturnType<typeof resolveSettings>): Connection {
  const key = JSON.stringify(settings);
  const known = connections.get(key);
  if (known) return known;
  const client = createClient(settings, (line, severity) => log(severity, line));
  const { redact } = client;
  const log = (severity: "debug" | "info" | "warn", text: string) =>
    void pulumi.log[severity](visibleText(redact(text)));
  for (const warning of settingsWarnings(settings)) log("warn", warning);
  const connection = { session: new Session(client, settings), warnings: new Set<string>() };
  connections.set(key, connection);
  return connection;
}

/**
 * Discards the connection of a key that was refused, which sends no more requests, or one whose failure
 * was explained. A process of the Automation API may still run when the cause has passed, and its next
 * run explains what fails again.
 */
export function forget(connection: Connection): void {
  for (const [key, known] of connections) if (known === connection) connections.delete(key);
}
