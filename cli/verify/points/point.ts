/** Behaviors of Ops Manager that the documentation omits or contradicts. */
import type { Trial } from "../trial";

export type PointValue = string | number | boolean;

/**
 * Observes one behavior.
 *
 * @returns the value of the switch
 * @throws Undetermined with the reason if the responses show no value
 */
type Observe = (trial: Trial) => Promise<PointValue>;

/**
 * For each switch of the sandbox: the requests of the run, for the report, and the
 * experiment.
 */
export type Points = Readonly<Record<string, readonly [tries: string, observe: Observe]>>;
