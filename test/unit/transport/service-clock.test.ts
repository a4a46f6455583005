import { createServiceClock } from "../../../provider/transport/service-clock";
import type { WireResponse } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { fakeWire, get, status } from "./fake-wire";

const dated = (date?: string): WireResponse => status(404, "", { date });
const at = (date: string) => Date.parse(date);
const noon = "Sun, 01 Feb 2026 12:00:00 GMT";
const midnight = "Sun, 01 Feb 2026 00:00:00 GMT";

/** A service clock that has read these responses, and the process's clock beside it. */
async function afterResponses(...responses: readonly WireResponse[]) {
  const clock = new FakeClock();
  const serviceClock = createServiceClock(clock);
  const wire = fakeWire((_, count) => responses[count - 1] ?? dated());
  for (const _ of responses) await serviceClock.layer(wire.send)(get());
  return { clock, serviceClock };
}

test("the service's time is the date of the newest response, and continues from there", async () => {
  const { clock, serviceClock } = await afterResponses(dated(midnight), dated(noon));
  expect(serviceClock.now()).toBe(at(noon));
  clock.advance(90_000);
  expect(serviceClock.now()).toBe(at(noon) + 90_000);
});

test.each([
  ["has no date", dated()],
  ["has a date that cannot be read", dated("at noon")],
])("a response that %s changes nothing", async (_, response) => {
  const { serviceClock } = await afterResponses(dated(noon), response);
  expect(serviceClock.now()).toBe(at(noon));
});
