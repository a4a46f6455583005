/** Messages of the dynamic provider: names in them, and their way to the engine. Without an engine, Pulumi's log goes to the console. */
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/dynamic/adapter";

const settings = {
  OPSMANAGER_BASE_URL: "https://ops-manager.example.com:8443",
  OPSMANAGER_PUBLIC_KEY: "public",
  OPSMANAGER_PRIVATE_KEY: "private-part",
};
const before = { ...process.env };
const id = "5f00000000000000000000a1";
const adopted = { projectId: id, orgId: "5f00000000000000000000b1", name: "payments", origin: "adopted" };

beforeEach(() => Object.assign(process.env, settings));
afterEach(() => {
  process.env = before;
  jest.restoreAllMocks();
});

it("the reason of a refused input shows what hides in it, in one line", async () => {
  const tag = "prod\u202e\u2028";
  const inputs = { orgId: "5f00000000000000000000b1", name: "payments", tags: [tag, tag] };
  const { failures } = (await provider("Project").check?.({}, inputs)) ?? {};
  expect(failures?.map(({ reason }) => reason)).toContain(
    'tags contains "prod\\u202e\\u2028" more than once.',
  );
});

it("a message shows what hides in a name, in one line", async () => {
  const log = jest.spyOn(console, "log").mockImplementation(() => undefined);
  const name = "pay\nments\u001b[2J\u202e";
  await provider("Project").delete?.(id, { ...adopted, name });
  expect(log.mock.calls.flat().join()).toContain(
    '("pay\\u000aments\\u001b[2J\\u202e", adopted) was released',
  );
});

// The host of dynamic providers ends soon after the last response, so no response may overtake a message.
it("a response waits until the engine has taken the messages of the operation", async () => {
  const order: string[] = [];
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  jest.spyOn(pulumi.log, "info").mockImplementation(async () => {
    await taken;
    order.push("message");
  });
  const response = provider("Project")
    .delete?.(id, adopted)
    .then(() => order.push("response"));
  // Long enough for a response that does not wait: a release makes no request.
  await new Promise(setImmediate);
  take();
  await response;
  expect(order).toEqual(["message", "response"]);
});

it("a message that the engine does not take fails no operation", async () => {
  jest.spyOn(pulumi.log, "info").mockRejectedValue(new Error("14 UNAVAILABLE"));
  await expect(provider("Project").delete?.(id, adopted)).resolves.toBeUndefined();
});
