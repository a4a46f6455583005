/** A command's own way to the service. */
import { type ApiClient, createClient } from "../api/client";
import { type Settings, settingsWarnings } from "../config";
import { say, type Terminal } from "./terminal";

/**
 * Gives work a client and closes it afterwards. Warnings and remarks of the wire go to stderr.
 */
export async function withClient<T>(
  settings: Settings,
  terminal: Pick<Terminal, "stderr">,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  for (const warning of settingsWarnings(settings)) say(terminal, warning);
  const client = createClient(settings, (line, severity) => {
    if (severity !== "debug") say(terminal, line);
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
