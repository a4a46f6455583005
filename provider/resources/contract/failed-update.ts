/**
 * Of an update that fails halfway, the engine retains the earlier inputs (engine, update.go), and destroying follows these.
 * So the outputs that say what destroying does are the earlier ones as well.
 */

import { PartialFailure } from "../../text/errors";
import type { Resource } from "./resource";
import type { Properties } from "./values";

const ofDestroying: readonly string[] = ["onDestroy", "maxRemovals"];

export function withFailedUpdates(resource: Resource): Resource {
  return {
    ...resource,
    update: (request) =>
      resource.update(request).catch((error: unknown) => {
        if (!(error instanceof PartialFailure)) throw error;
        const kept = Object.entries(request.state).filter(([name]) => ofDestroying.includes(name));
        const state = { ...(error.state as Properties), ...Object.fromEntries(kept) };
        throw new PartialFailure(error.id, state, error.reasons, { cause: error.cause });
      }),
  };
}
