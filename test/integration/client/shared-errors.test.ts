import { getProject } from "../../../provider/api/projects";
import { CanceledError } from "../../../provider/text/errors";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const ids = ["5f00000000000000000000a1", "5f00000000000000000000a2"];

// The message of the one reason grew with each call: "Reading project a2 failed: Reading project a1 failed: ...".
test("two calls that end for one reason each report their own action, and nothing else", async () => {
  const { client } = await start.server(() => undefined);
  const canceled = new AbortController();
  const failures = ids.map((id) => failureOf(getProject(client, id, canceled.signal)));
  const reason = new CanceledError("The operation was canceled.");
  canceled.abort(reason);

  const errors = await Promise.all(failures);
  expect(errors.map(({ message }) => message)).toEqual(
    ids.map((id) => `Reading project ${id} failed: The operation was canceled.`),
  );
  for (const error of errors) {
    expect(error).toMatchObject({ name: "CanceledError", code: "OPSMANAGER_CANCELLED", cause: reason });
  }
  expect(reason.message).toBe("The operation was canceled.");
});
