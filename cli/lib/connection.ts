/** Connects a command to the service. */
import { type ApiClient, createClient } from "../../provider/api/client";
import { type Settings, settingsWarnings } from "../../provider/settings/config";
import { OpsManagerError } from "../../provider/text/errors";
import { type LogSink, serviceVersionOf, type WireResponse } from "../../provider/transport";
import { printMessage, type Terminal } from "./terminal";

export const DAY_MILLISECONDS = 86_400_000;

export { NO_ID } from "../../provider/text/object-id";

/**
 * Runs work with a client and closes it afterwards. Warnings and remarks of the transport go to
 * stderr.
 */
export async function withClient<T>(
  settings: Settings,
  terminal: Pick<Terminal, "stderr">,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const print = (line: string) => printMessage(terminal, line);
  settingsWarnings(settings).forEach(print);
  const client = createClient(settings, withoutDebug(print));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Prints the messages of the transport except its debug messages. */
export function withoutDebug(print: (line: string) => void): LogSink {
  return (line, severity) => {
    if (severity !== "debug") print(line);
  };
}

/**
 * The error that the provider would throw for a response; `undefined` if it would accept the response.
 */
export function thrownBy(check: () => unknown): OpsManagerError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof OpsManagerError) return error;
    throw error;
  }
}

/** The version of the service that a response names; `undefined` if it names none. */
export function versionOf(response: WireResponse): string | undefined {
  return /versionString=([\w.-]+)/.exec(serviceVersionOf(response) ?? "")?.[1];
}
