/**
 * The one connection of a process to the service that the stack's settings name. The host of dynamic providers and the
 * program itself, for its lookups, are two processes; each has its own.
 */
import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../api/client";
import { resolveSettings, settingsInputs } from "../config";
import { Session } from "../resources/session";
import { createSettingsRedact, type Redact } from "../transport";

export interface Connection {
  readonly session: Session;
  /** Masks the secrets of the settings. */
  readonly redact: Redact;
}

/** The stack's `opsmanager:` settings as it holds them: text, whatever is meant by it. */
export type StackSettings = Readonly<Record<string, string | undefined>>;

/** @param get reads one key of the stack's config, such as `opsmanager:baseUrl` */
export function readSettings(get: (key: string) => string | undefined): StackSettings {
  const names = Object.keys(settingsInputs.shape);
  return Object.fromEntries(names.map((name) => [name, get(`opsmanager:${name}`)]));
}

const connections = new Map<string, () => Connection>();

/**
 * Nothing is sent, and a fault of the settings is kept for whoever asks for the connection. The same settings give the same
 * connection; another stack in one process of the Automation API has others.
 */
export function connectWith(settings: StackSettings): () => Connection {
  const key = JSON.stringify(settings);
  const known = connections.get(key);
  if (known) return known;
  let made: Connection | undefined;
  const connection = () => {
    made ??= connect(settings);
    return made;
  };
  connections.set(key, connection);
  return connection;
}

function connect(stackConfig: StackSettings): Connection {
  const settings = resolveSettings({
    args: {},
    stackConfig,
    env: process.env,
    isDefaultProvider: false,
    directory: process.cwd(),
  });
  const redact = createSettingsRedact(settings);
  const client = createClient(
    settings,
    (line) => void pulumi.log.debug(line),
    (remark) => void pulumi.log.info(remark),
  );
  return { session: new Session(client, settings), redact };
}
