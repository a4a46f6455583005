/**
 * Deletions that Ops Manager refuses. Versions differ in status and code for an object that no longer
 * exists, and some refuse a deletion that they have done. So the result depends on whether the
 * membership still exists.
 */
import { type ProviderKind, succeeded } from "../../support";
import { type Meanwhile, meanwhileAt } from "../support/meanwhile";
import { invitationOf, invitedTo, memberProgram, membersOf, paymentsId } from "../support/people-program";
import { bothProviders, messagesOf, writes } from "../support/project-program";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

const proxies: Meanwhile[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

const ada = "ada@example.com";
const grace = "grace@example.com";
const joan = "joan@example.com";
const owner = "owner@example.com";
const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"], [ada]: roles } }] };
const everybody = { [owner]: ["GROUP_OWNER"], [ada]: roles };

/** `ada`, who is in, and `grace` and `joan`, who get invited; with the paths under which each is removed. */
async function threePeople(config = {}, provider: ProviderKind = "plugin") {
  const person = (projectId: string, username: string) => ({
    type: "ProjectMember",
    properties: { projectId, username, roles },
  });
  const setup = await setUpStack({
    provider,
    sandbox: { seed },
    program: (service) => ({
      resources: {
        ada: person(paymentsId(service), ada),
        grace: person(paymentsId(service), grace),
        joan: person(paymentsId(service), joan),
      },
    }),
    config,
  });
  const { sandbox, stack } = setup;
  const service = await throughProxy(setup);
  await succeeded(stack.up());
  const removals = {
    ada: `/users/${sandbox.user({ username: ada })?.id}$`,
    grace: `/invites/${invitationOf(sandbox, grace).id}$`,
    joan: `/invites/${invitationOf(sandbox, joan).id}$`,
  };
  return { ...setup, service, removals };
}

/** From here on the stack reaches the service through a proxy that can do something in between. */
async function throughProxy({ sandbox, stack }: StackSetup): Promise<Meanwhile> {
  const service = await meanwhileAt(sandbox.baseUrl);
  proxies.push(service);
  await stack.setConfig({ "opsmanager:baseUrl": service.baseUrl });
  return service;
}

function refuse({ sandbox }: StackSetup, pathPattern: string, response: Refusal, afterWrite: boolean): void {
  const [status, errorCode] = response;
  const body = { error: status, reason: "Refused", detail: "The test refuses it.", errorCode };
  sandbox.addFault({ method: "DELETE", pathPattern, fault: { status, body, afterWrite } });
}

type Refusal = readonly [status: number, errorCode: string | undefined];

const refusals: readonly Refusal[] = [
  [400, undefined],
  [400, "INVALID_INVITATION_ID"],
  [403, undefined],
  [403, "NOT_YOUR_TURN"],
  [404, undefined],
  [404, "USER_NOT_IN_GROUP"],
  [409, undefined],
  [409, "IN_USE"],
];
// Both provider kinds share the handlers, so one refusal proves that it reaches them in the
// dynamic provider.
const rows = bothProviders.flatMap((provider) =>
  refusals
    .filter(([, errorCode]) => provider === "plugin" || errorCode === "USER_NOT_IN_GROUP")
    .map(([status, errorCode]) => ({ status, errorCode, provider, code: errorCode ?? "without a code" })),
);

describe("a deletion that is refused", () => {
  it.each(rows)(
    "with $status $code keeps members who are still there in the state, and is no failure for members who are not ($provider)",
    async ({ status, errorCode, provider }) => {
      const setup = await threePeople({}, provider);
      const { sandbox, stack, service, removals } = setup;
      const response: Refusal = [status, errorCode];
      for (const path of Object.values(removals)) refuse(setup, path, response, false);
      const failed = await stack.destroy({ continueOnError: true });
      expect(failed.exitCode).not.toBe(0);
      const reported = messagesOf(failed, "error");
      const cause = [status, errorCode, "The test refuses it"].filter(Boolean).join(" ");
      expect(reported).toContain(`Removing ${ada} from project ${paymentsId(sandbox)} failed: ${cause}`);
      expect(reported).toContain(`Taking back the invitation of ${grace} to project`);
      expect(membersOf(sandbox)).toEqual(everybody);
      expect(invitedTo(sandbox)).toEqual({ [grace]: roles, [joan]: roles });
      expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", roles } });
      expect(await stack.resource("grace")).toMatchObject({ outputs: { status: "pending", roles } });
      expect(await stack.resource("joan")).toMatchObject({ outputs: { status: "pending", roles } });

      // Done and refused all the same; and refused because it was accepted between the read and the deletion.
      refuse(setup, removals.ada, response, true);
      refuse(setup, removals.grace, response, true);
      refuse(setup, removals.joan, response, false);
      service.before("DELETE", new RegExp(removals.joan), () =>
        sandbox.acceptInvitation(invitationOf(sandbox, joan).id),
      );
      sandbox.clearRequests();
      const destroyed = await succeeded(stack.destroy());
      expect(destroyed.changes).toEqual({ delete: 3 });
      expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{ [owner]: ["GROUP_OWNER"] }, {}]);
      expect(writes(sandbox).map(({ path }) => path)).toContainEqual(
        expect.stringMatching(`/users/${sandbox.user({ username: joan })?.id}$`),
      );
      expect(await stack.resource("joan")).toBeUndefined();
    },
  );
});

describe("a deletion that Ops Manager has done and responds with 500", () => {
  it.each([0, 1])("succeeds after another read, with maxRetries %s", async (maxRetries) => {
    const setup = await threePeople({ "opsmanager:maxRetries": maxRetries });
    const { sandbox, stack, removals } = setup;
    for (const pathPattern of Object.values(removals))
      sandbox.addFault({ method: "DELETE", pathPattern, fault: { status: 500, afterWrite: true } });
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
    expect([membersOf(sandbox), invitedTo(sandbox)]).toEqual([{ [owner]: ["GROUP_OWNER"] }, {}]);
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe("a refused deletion after which the read of the project's people fails too", () => {
  it("reports why the deletion was refused, and the state is left unchanged", async () => {
    const setup = await setUpStack({
      sandbox: { seed },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles }),
      config: { "opsmanager:maxRetries": 0 },
    });
    const { sandbox, stack } = setup;
    const service = await throughProxy(setup);
    await succeeded(stack.up());
    refuse(setup, "/users/", [409, "IN_USE"], false);
    service.before("DELETE", /users/, () =>
      sandbox.addFault({ method: "GET", pathPattern: "/users", times: 0, fault: { status: 500 } }),
    );
    sandbox.clearRequests();
    const failed = await stack.destroy();
    expect(failed.exitCode).not.toBe(0);
    expect(sandbox.requests.map(({ method, status }) => `${method} ${status}`)).toContain("GET 500");
    expect(messagesOf(failed, "error")).toContain("409 IN_USE The test refuses it");
    expect(membersOf(sandbox)).toEqual(everybody);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { status: "active", roles } });
  });
});
