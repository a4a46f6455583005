/** Names in the messages of the dynamic provider. Without an engine, Pulumi's log goes to the console. */
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

it("the reason of a refused input shows what hides in it, in one line", async () => {
  const tag = "prod\u202e\u2028";
  const inputs = { orgId: "5f00000000000000000000b1", name: "payments", tags: [tag, tag] };
  const { failures } = (await provider("Project").check?.({}, inputs)) ?? {};
  expect(failures?.map(({ reason }) => reason)).toContain('tags holds "prod\\u202e\\u2028" more than once.');
});

it("a message shows what hides in a name, in one line", async () => {
  const log = jest.spyOn(console, "log").mockImplementation(() => undefined);
  const id = "5f00000000000000000000a1";
  const name = "pay\nments\u001b[2J\u202e";
  const recorded = { projectId: id, orgId: "5f00000000000000000000b1", name, origin: "adopted" };
  await provider("Project").delete?.(id, recorded);
  expect(log.mock.calls.flat().join()).toContain(
    '("pay\\u000aments\\u001b[2J\\u202e", adopted) was released',
  );
});
