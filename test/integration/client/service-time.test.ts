import { getProject } from "../../../provider/api/projects";
import { clientFactory } from "./with-client";

const start = clientFactory();
const day = 86_400_000;

test("a client's time is that of the service, which may be days off from this machine's", async () => {
  const { sandbox, client } = await start.sandbox();
  const { id } = sandbox.addProject({ name: "payments" });
  sandbox.advanceClock(40 * 86_400);
  await getProject(client, id);
  // `Date` is cut to whole seconds, and a busy machine may take a while.
  expect(Math.abs(client.now() - Date.now() - 40 * day)).toBeLessThan(60_000);
});
