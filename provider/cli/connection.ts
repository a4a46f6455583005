/** Connects a command to the service. */
import { type ApiClient, createClient } from "../api/client";
import { type Settings, settingsWarnings } from "../config";
import { printMessage, type Terminal } from "./terminal";

/**
 * Runs work with a client and closes it afterwards. Warnings and remarks of the transport go to
 * stderr.
 */
export async function withClient<T>(
  settings: Settings,
  terminal: Pick<Terminal, "stderr">,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  for (const warning of settingsWarnings(settings)) printMessage(terminal, warning);
  const client = createClient(settings, (line, severity) => {
    if (severity !== "debug") printMessage(terminal, line);
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
