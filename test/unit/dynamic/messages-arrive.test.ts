/** The host of dynamic providers ends soon after the last answer, so no answer may overtake a message. */
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/dynamic/adapter";

const settings = {
  OPSMANAGER_BASE_URL: "https://ops-manager.example.com:8443",
  OPSMANAGER_PUBLIC_KEY: "public",
  OPSMANAGER_PRIVATE_KEY: "private-part",
};
const before = { ...process.env };

beforeEach(() => Object.assign(process.env, settings));
afterEach(() => {
  process.env = before;
  jest.restoreAllMocks();
});

const id = "5f00000000000000000000a1";
const adopted = { projectId: id, orgId: "5f00000000000000000000b1", name: "payments", origin: "adopted" };

it("an answer waits until the engine has taken the messages of the operation", async () => {
  const order: string[] = [];
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  jest.spyOn(pulumi.log, "info").mockImplementation(async () => {
    await taken;
    order.push("message");
  });
  const answer = provider("Project")
    .delete?.(id, adopted)
    .then(() => order.push("answer"));
  // Long enough for an answer that does not wait: a release makes no request.
  await new Promise(setImmediate);
  take();
  await answer;
  expect(order).toEqual(["message", "answer"]);
});

it("a message that the engine does not take fails no operation", async () => {
  jest.spyOn(pulumi.log, "info").mockRejectedValue(new Error("14 UNAVAILABLE"));
  await expect(provider("Project").delete?.(id, adopted)).resolves.toBeUndefined();
});
