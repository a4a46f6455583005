/** Runs a table of steps, and decides which of them are skipped because an earlier one failed. */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Settings } from "../../provider/settings/config";
import type { Redact, WireResponse } from "../../provider/transport";
import { type DoctorResult, type Finding, named, skipped } from "./results";

/** What steps find for later ones. */
interface Found {
  /** There is a suitable `pulumi` command. */
  readonly pulumi: true;
  /** Removes the secrets of the settings, or of what was read of incomplete ones. */
  readonly redact: Redact;
  readonly settings: Settings;
  /** The first host of the connection, a proxy or the service, has an address. */
  readonly address: true;
  readonly proxy: Socket;
  /** A connection to the service, through the proxy's tunnel if there is one. */
  readonly service: Socket;
  readonly tls: TLSSocket;
  /** There is a trusted connection. */
  readonly connection: true;
  /** The response to a request without a key. */
  readonly unsigned: WireResponse;
  /** The service accepts the key. */
  readonly accepted: true;
}

/** The results of a step, and what it has found. */
export interface Answer {
  readonly results: readonly DoctorResult[];
  readonly found?: Partial<Found>;
}

/** What a step has found counts only if none of its checks failed. */
export function unlessFailed(results: readonly DoctorResult[], found: Partial<Found>): Answer {
  return results.some(({ outcome }) => outcome === "failed") ? { results } : { results, found };
}

type Having<Need extends keyof Found> = Partial<Found> & Pick<Found, Need>;
type Step = ReturnType<typeof step>;

/**
 * @param name of its check
 * @param otherwise why it is skipped if something that it needs was not found
 */
export function step<Need extends keyof Found>(
  name: string,
  needs: readonly Need[],
  run: (found: Having<Need>) => Answer | Finding | Promise<Answer | Finding>,
  otherwise?: (found: Partial<Found>) => string,
) {
  const has = (found: Partial<Found>): found is Having<Need> =>
    needs.every((need) => found[need] !== undefined);
  return {
    name,
    otherwise,
    async run(found: Partial<Found>): Promise<Answer | undefined> {
      if (!has(found)) return undefined;
      const answer = await run(found);
      return "results" in answer ? answer : { results: [named(name, answer)] };
    },
  };
}

/**
 * After a failure, the first step that is skipped and has a reason reports it; the others are left out.
 *
 * @param done called after each step with the number of steps so far
 */
export async function runSteps(
  steps: readonly Step[],
  done?: (count: number) => void,
): Promise<Required<Answer>> {
  const results: DoctorResult[] = [];
  let found: Partial<Found> = {};
  let isReported = false;
  for (const [index, { name, run, otherwise }] of steps.entries()) {
    const answer = await run(found);
    if (answer) {
      results.push(...answer.results);
      found = { ...found, ...answer.found };
    } else if (otherwise && !isReported) {
      results.push(named(name, skipped(otherwise(found))));
      isReported = true;
    }
    done?.(index + 1);
  }
  return { results, found };
}
