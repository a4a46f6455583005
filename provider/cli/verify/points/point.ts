/** A behavior of Ops Manager that the documentation omits or contradicts. */
import type { Trial } from "../trial";

export type PointValue = string | number | boolean;

export interface Point {
  /** The switch of the embedded service for the behavior. */
  readonly name: string;
  /** What the run sends, for the report. */
  readonly tries: string;
  /** What the experiment requires in addition to a key that may create projects. */
  readonly needs?: string;
  /**
   * @returns the value of the switch
   * @throws NotFoundOut with the reason if the answers show no value
   */
  readonly observe: (trial: Trial) => Promise<PointValue>;
}
