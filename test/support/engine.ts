import type { Engine } from "./find-engine";
import { residents } from "./resident";

export type { Engine };

/** The engine of the tests; it is searched for once per Jest worker. */
export function engine(): Engine {
  return residents().engine;
}
