import { processClock } from "../../../provider/transport/clock";

// A pause that ended early made the pacing of invitations wait a second time, and repeat what it prints while it waits.
it("a pause of the process's clock is never over before its time", async () => {
  for (const milliseconds of [0.2, 1, 1.5, 2.4, 3.99]) {
    const started = processClock.now();
    await processClock.pause(milliseconds, undefined);
    expect(processClock.now() - started).toBeGreaterThanOrEqual(milliseconds);
  }
});
