/** The life of a recorded project: what an update sends, what its preview logs, and what a refresh records. */
import {
  messagesOf,
  projectNamed,
  projectProgram,
  projectsProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded, unknown } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

async function createPayments(properties: object, options: Partial<Parameters<typeof setUpStack>[0]> = {}) {
  const { sandbox, stack } = await setUpStack({
    ...options,
    program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...properties }),
  });
  await succeeded(stack.up());
  sandbox.clearRequests();
  return { sandbox, stack, id: projectNamed(sandbox, "payments").id, orgId: sandbox.orgId };
}

describe("the preview of an update", () => {
  it("shows the declared values, and logs what would be overwritten and is not in the state", async () => {
    const { sandbox, stack, id, orgId } = await createPayments(
      { tags: ["PROD"], ignoreTags: ["K8S_*"] },
      { config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    sandbox.changeProject(id, { tags: ["PROD", "OUTSIDE", "OTHERS"] });
    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["EU"] }));
    const preview = await succeeded(stack.preview());
    expect(messagesOf(preview)).toBe(
      'Changed in the service since it was recorded: tag "OTHERS" is removed; tag "OUTSIDE" is removed.',
    );
    const outputs = preview.steps[0]?.new?.outputs;
    expect(outputs).toMatchObject({ projectId: id, tags: ["EU"], onDestroy: "delete" });
    expect(outputs).not.toHaveProperty("ignoreTags");
    expect(writes(sandbox)).toEqual([]);
  });

  it("warns that unknown values could not be checked, and logs no other message", async () => {
    const { stack, orgId } = await createPayments({});
    await stack.setProgram(
      projectsProgram({
        orders: { properties: { orgId, name: "orders" } },
        adopted: { properties: { projectId: "${orders.projectId}" } },
        payments: { properties: { orgId, name: "payments", tags: "${adopted.tags}" } },
      }),
    );
    const preview = await succeeded(stack.preview());
    expect(preview.steps.findLast(({ name }) => name === "payments")?.new?.outputs.tags).toBe(unknown);
    expect(messagesOf(preview, "info")).toBe("");
    expect(messagesOf(preview, "warning")).toContain("Some values are not known yet");
  });
});

describe("a refresh", () => {
  it("records the live values, as inputs only those of the properties that the program declares", async () => {
    const { sandbox, stack, id, orgId } = await createPayments({ tags: ["PROD"], onDestroy: "release" });
    sandbox.changeProject(id, { name: "billing", tags: ["OUTSIDE"] });
    await succeeded(stack.refresh());
    const recorded = await stack.resource("payments");
    const live = { orgId, name: "billing", tags: ["OUTSIDE"], onDestroy: "release" };
    expect(recorded).toMatchObject({ inputs: live, outputs: live });
    expect(recorded?.inputs).not.toHaveProperty("ldapGroupMappings");
  });

  it("records declared mappings as an empty list if the response has none", async () => {
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    const declared = { tags: ["PROD"], ldapGroupMappings };
    const { sandbox, stack, id, orgId } = await createPayments(declared, { sandbox: { ldap: true } });
    const body = { id, orgId, name: "payments", tags: [] };
    sandbox.addFault({ method: "GET", fault: { status: 200, body } });
    await succeeded(stack.refresh());
    expect(await stack.resource("payments")).toMatchObject({ inputs: { tags: [], ldapGroupMappings: [] } });
  });
});

it("a project whose organization and name another resource declares is retained by a replacement that deletes first", async () => {
  keepDefault("refreshBeforeUpdate", "the messages are counted");
  const { sandbox, stack, id, orgId } = await createPayments({});
  const { id: elsewhere } = sandbox.addOrg({ name: "Elsewhere" });
  await stack.setProgram(
    projectsProgram({
      other: { properties: { orgId, name: "payments" } },
      payments: {
        properties: { orgId: elsewhere, name: "payments" },
        options: { deleteBeforeReplace: true },
      },
    }),
  );
  const up = await stack.up();
  expect(messagesOf(up, "error")).toContain(`already has a project named "payments": ${id}`);
  expect(messagesOf(up, "info")).toMatch(
    new RegExp(`Project ${id} was kept because \\S+::other declares it\\.`),
  );
  expect(sandbox.project(id)?.orgId).toBe(orgId);
});
