/** An error contains the operation, the object, the cause and what the user can do next. `unit/api/hints.test.ts` has the advice. */
import type { ApiClient } from "../../../provider/api/client";
import { readEvents } from "../../../provider/api/events";
import { getInvitation } from "../../../provider/api/invitations";
import { createProject, getProject, updateProject } from "../../../provider/api/projects";
import type { KeyFacts, SandboxOptions } from "../../../sandbox";
import { clientFactory, failureOf } from "./with-client";

const start = clientFactory();
const unknown = "5f00000000000000000000a9";

/** A project, and clients of keys with these facts. */
async function withProject(options?: SandboxOptions) {
  const { sandbox } = await start.sandbox(options);
  const { id } = sandbox.addProject({ name: "payments" });
  const { baseUrl, orgId } = sandbox;
  const as = (facts: KeyFacts = { roles: [{ roleName: "GLOBAL_OWNER" }] }, privateKey?: string) => {
    const key = sandbox.addKey({ publicKey: "abcdefgh", ...facts });
    return start.client({ baseUrl, publicKey: "abcdefgh", privateKey: privateKey ?? key.privateKey }).client;
  };
  return { id, orgId, as };
}

async function messageOf(call: Promise<unknown>, code = "OPSMANAGER_API"): Promise<string> {
  const error = await failureOf(call);
  expect(error).toMatchObject({ code });
  expect(error.message).toMatch(/\.$/);
  return error.message;
}

test("of an object that does not exist", async () => {
  const { as } = await withProject();
  expect(await messageOf(getProject(as(), unknown))).toMatch(
    new RegExp(`^Reading project ${unknown} failed: 404 GROUP_NOT_FOUND .*Check the project id\\.`),
  );
});

test("of a name that is taken", async () => {
  const { orgId, as } = await withProject();
  const message = await messageOf(createProject(as(), { name: "payments", orgId }));
  expect(message).toContain(
    `Creating project "payments" in organization ${orgId} failed: 409 GROUP_ALREADY_EXISTS`,
  );
  expect(message).toContain("adopt the existing project by its projectId");
});

test("of what the key may not read or change, with the least role", async () => {
  const { id, as } = await withProject({ events: "refused" });
  const client: ApiClient = as({ roles: [{ groupId: id, roleName: "GROUP_READ_ONLY" }] });
  const invitation = await messageOf(getInvitation(client, id, unknown));
  expect(invitation).toContain(`Reading invitation ${unknown} to project ${id} failed: 401 `);
  expect(invitation).toContain("Project User Admin");
  const ofToday = { since: new Date(), mostPages: 1, signal: new AbortController().signal };
  const events = await messageOf(readEvents(client, { projectId: id }, ofToday));
  expect(events).toContain(`Listing the events of project ${id} failed: 403 USER_UNAUTHORIZED`);
  expect(events).toContain("The API key abcdefgh needs the role Project Read Only.");
  const change = await messageOf(updateProject(client, id, { name: "other", tags: ["A"] }));
  expect(change).toContain(`Updating name, tags of project ${id} failed: 401 USER_UNAUTHORIZED`);
});

test("of a refused key, with every cause", async () => {
  const { id, as } = await withProject();
  const message = await messageOf(getProject(as(undefined, "not-this-one"), id), "OPSMANAGER_KEY_REFUSED");
  expect(message).toContain(
    `Reading project ${id} failed: 401 You are not authorized for this resource. The service refused API key abcdefgh from the provider's arguments. Possible causes: the key pair is wrong or was deleted; the key belongs to another service or organization; it has an access list without this machine's address`,
  );
  expect(message).toContain("it lacks the role for this, or the project does not exist");
  expect(message).toContain("pulumi up --refresh --run-program");
});

test("of a machine that is not on the access list, with its address", async () => {
  const { id, as } = await withProject();
  const client = as({ ipAllowed: false, roles: [{ roleName: "GLOBAL_OWNER" }] });
  expect(await messageOf(getProject(client, id), "OPSMANAGER_KEY_REFUSED")).toMatch(
    /403 IP_ADDRESS_NOT_ON_ACCESS_LIST .*127\.0\.0\.1.*Add the address above to the access list of API key abcdefgh/,
  );
});
