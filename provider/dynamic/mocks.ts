/** Whether the program runs under `pulumi.runtime.setMocks`, in a unit test of its author. */
import * as pulumi from "@pulumi/pulumi";

/**
 * The SDK has no public question for this. Its mock monitor has a field `mocks`, which the
 * engine's client lacks.
 */
export function isMocked(): boolean {
  const monitor: object | undefined = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}
