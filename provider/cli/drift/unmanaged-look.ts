/** The look at what nobody owns, for all stacks of a run: at each service once. */
import { CancelledError, messageOf, OpsManagerError } from "../../errors";
import { withClient } from "../connection";
import { type CommandSettings, readCommandSettings } from "../settings";
import type { Terminal } from "../terminal";
import type { UnreadableThing } from "./report";
import type { StackState } from "./stacks";
import { findUnmanaged, together, type UnmanagedAnswer } from "./unmanaged";

interface UnmanagedLookOptions {
  /** By name; `undefined` where the state could not be had. */
  readonly states: ReadonlyMap<string, StackState | undefined>;
  readonly orgIds: readonly string[];
}

interface Service {
  readonly settings: CommandSettings["settings"];
  readonly states: StackState[];
}

/** Without `unmanaged` where nobody can say what is owned. */
type UnmanagedLook = Partial<UnmanagedAnswer> & Pick<UnmanagedAnswer, "unreadable">;

/**
 * Services are told apart by their addresses: two stacks of one service own things together, and the settings of the first of them
 * are used for the look.
 *
 * @throws CancelledError
 */
export async function lookForUnmanaged(
  terminal: Terminal,
  options: UnmanagedLookOptions,
): Promise<UnmanagedLook> {
  try {
    return await look(terminal, options);
  } catch (error) {
    throw terminal.stop.aborted ? new CancelledError("Stopped; no report was written.") : error;
  }
}

async function look(terminal: Terminal, { states, orgIds }: UnmanagedLookOptions): Promise<UnmanagedLook> {
  const unknown = [...states].filter(([, state]) => state === undefined).map(([stack]) => stack);
  if (unknown.length > 0) {
    // Everything that such a stack owns would look like owned by nobody.
    const reason = `The state of ${unknown.join(", ")} could not be read, so nobody knows what is owned.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const services = new Map<string, Service>();
  const unreadable: UnreadableThing[] = [];
  for (const [stack, state] of states) {
    const settings = await settingsOf(terminal, stack);
    if (typeof settings === "string") {
      unreadable.push({ what: `settings of stack ${stack}`, reason: settings, stack });
    } else if (state !== undefined) {
      const address = `${settings.origin}${settings.pathPrefix}`;
      const service = services.get(address) ?? { settings, states: [] };
      service.states.push(state);
      services.set(address, service);
    }
  }
  if (unreadable.length > 0) return { unreadable };
  if (orgIds.length > 0 && services.size > 1) {
    const reason = `The stacks belong to several services (${[...services.keys()].join(", ")}), and --org does not say which it is of. Run the command once for each service.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const answers: UnmanagedAnswer[] = [];
  for (const { settings, states: own } of services.values()) {
    const answer = withClient(settings, terminal, (client) =>
      findUnmanaged({ stacks: own, client, orgIds, signal: terminal.stop, terminal }),
    );
    answers.push(await answer);
  }
  return together(answers);
}

async function settingsOf(terminal: Terminal, stack: string): Promise<Service["settings"] | string> {
  try {
    return (await readCommandSettings(terminal, stack)).settings;
  } catch (error) {
    if (!(error instanceof OpsManagerError) || terminal.stop.aborted) throw error;
    return messageOf(error);
  }
}
