/** What README and `docs/missing-operations.md` promise for a service that offers what the API document describes, and nothing else. */
import { bothProviders, errorsOf, messagesOf, timesPrinted } from "../engine/support/project-program";
import { keepDefault, type Program, type ProviderKind, succeeded } from "../support";
import { DocumentService, type Silence } from "../support/document-service";
import { Stack } from "../support/model-stack";

const services: DocumentService[] = [];
afterEach(() => Promise.all(services.splice(0).map((service) => service.close())));

const projectId = "a".repeat(24);
const userId = "d".repeat(24);
const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];

type Resources = NonNullable<Program["resources"]>;

async function begin(provider: ProviderKind, silence: Partial<Silence> = {}) {
  const service = await DocumentService.start(silence);
  services.push(service);
  const stack = new Stack(provider, { ...service.connection });
  const invitationId = service.invite("ada@example.com");
  const payments = (properties: object): Resources => ({
    payments: { type: "Project", properties: { projectId, ...properties } },
  });
  const member = (who: object) => ({
    type: "ProjectMember",
    properties: { projectId, ...who },
  });
  return {
    service,
    stack,
    invitationId,
    payments,
    ada: (more = {}): Resources => ({ ada: member({ invitationId, ...more }) }),
    bob: (more = {}): Resources => ({ bob: member({ userId, ...more }) }),
    upWith: async (resources: Resources) => {
      await stack.setProgram({ resources });
      return stack.up();
    },
  };
}

/** Each value of what the document leaves open occurs. */
const silences: readonly Partial<Silence>[] = [
  {},
  { dialect: "op and qop", body: "web page", removed: 202, vendor: "MongoDB", accepted: 409 },
  { dialect: "qop", body: "empty", removed: 200, accepted: 400 },
  { dialect: "qop", body: "JSON with errorCode" },
  { body: "empty", unknown: { status: 405, challenged: true } },
  { body: "web page", unknown: { status: 501, challenged: true } },
  { body: "web page", unknown: { status: 404, challenged: false } },
  { dialect: "op and qop", body: "JSON with errorCode", unknown: { status: 404, challenged: false } },
  { dialect: "qop", body: "empty", unknown: { status: 405, challenged: false } },
];

describe.each(bothProviders)("with the provider %s", (provider) => {
  it.each(silences)("a project and its people live on a service with %o", async (silence) => {
    keepDefault("refreshBeforeUpdate", "an up without changes reads");
    const { service, stack, invitationId, payments, ada, bob, upWith } = await begin(provider, silence);
    if (provider === "plugin") {
      await succeeded(stack.import("ProjectMember", "ada", `${projectId}/${invitationId}`));
      await upWith(ada({ onDestroy: "release" }));
      await succeeded(stack.destroy());
      expect(service.takeWrites()).toEqual([]);
    }

    const declared = { name: "ledger", tags: ["PROD"], ldapGroupMappings: mappings };
    const first = await succeeded(upWith({ ...payments(declared), ...ada(), ...bob() }));
    expect(first.changes).toEqual({ create: 3 });
    expect(service.takeWrites()).toEqual([`PATCH /groups/${projectId} 200`]);
    expect(service.project).toMatchObject(declared);
    const pending = { status: "pending", username: "ada@example.com" };
    expect(await stack.resource("ada")).toMatchObject({ outputs: pending });
    for (const command of ["up", "refresh"] as const) {
      const run = await succeeded(stack[command]());
      expect(run.changes).toEqual({ same: 3 });
      expect(timesPrinted(run, "does not offer reading a project")).toBe(1);
    }
    expect(service.takeWrites()).toEqual([]);

    const cleared = { name: "ledger", tags: [], ldapGroupMappings: [] };
    const second = await succeeded(upWith({ ...payments(cleared), ...ada(), ...bob() }));
    expect(second.changes).toEqual({ update: 1, same: 2 });
    expect(service.project).toMatchObject(cleared);
    service.takeWrites();

    await stack.setProgram({
      lookups: { found: { function: "getProjectInvitation", arguments: { projectId, invitationId } } },
      outputs: { username: "${found.username}" },
    });
    await succeeded(stack.up());
    expect(await stack.outputs()).toEqual({ username: "ada@example.com" });
    expect(service.takeWrites().sort()).toEqual([
      `DELETE /groups/${projectId}/invites/${invitationId} 204`,
      `DELETE /groups/${projectId}/users/${userId} ${silence.removed ?? 204}`,
    ]);
    expect([service.users.has(userId), service.invitations.size]).toEqual([false, 0]);
    expect((await stack.state()).resources).toEqual([]);
  });

  it("nobody is gone because a gateway in front of the service has lost a route", async () => {
    const { service, stack, ada, bob, upWith } = await begin(provider);
    await succeeded(upWith({ ...ada(), ...bob() }));
    service.lost = /\/users\//;
    await errorsOf(stack.destroy({ continueOnError: true }));
    service.lost = /\/invites\/|\/users\//;
    await errorsOf(stack.destroy({ continueOnError: true }));
    expect(await stack.resource("bob")).toBeDefined();
    expect(service.users.has(userId)).toBe(true);
    service.lost = /^$/;
    await succeeded(stack.destroy());
    expect([service.users.has(userId), service.invitations.size]).toEqual([false, 0]);
  });

  it.each(silences)(
    "whoever is gone leaves the state if that is shown, or by release, with %o",
    async (silence) => {
      const { service, stack, invitationId, ada, bob, upWith } = await begin(provider, silence);
      await succeeded(upWith({ ...ada(), ...bob() }));
      service.users.delete(userId);
      // The invitation is there, so the path in baseUrl is right.
      const gone = await succeeded(upWith(ada({ onDestroy: "remove" })));
      expect(await stack.resource("bob")).toBeUndefined();
      const isSaid = silence.body === "JSON with errorCode";
      expect(messagesOf(gone, "warning").includes("is not in project")).toBe(!isSaid);

      await upWith({ ...ada(), ...bob() });
      service.accept(invitationId);
      // Nothing else responds any more, and nobody may be called gone for a wrong path.
      const leave = stack.destroy({ continueOnError: true });
      if (isSaid) await succeeded(leave);
      else {
        const errors = await errorsOf(leave);
        expect(errors).toMatch(/no other call about the project has succeeded.*set onDestroy to "release"/);
        expect((await stack.state()).resources).toHaveLength(2);
        await succeeded(upWith({ ...ada({ onDestroy: "release" }), ...bob({ onDestroy: "release" }) }));
        await succeeded(stack.destroy());
      }
      expect((await stack.state()).resources).toEqual([]);
    },
  );
});
