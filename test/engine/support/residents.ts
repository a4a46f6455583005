/** Tests of the resident processes: they exist where the engine was built from its Go modules. */
import { itIf } from "../../support";
import { engine } from "../../support/engine";

export const itHasResidents = itIf(
  engine().residentCommandLine !== undefined,
  "needs an engine that was built from Go modules",
);
