import { keepDefault, succeeded } from "../../support";
import { differences } from "../support/differences";
import { digestOf, jsonSteps } from "../support/mechanics";
import { paymentsOn } from "../support/payments";
import {
  bothProviders,
  changedPaths,
  emptyProgram,
  projectNamed,
  projectProgram,
  projectsNamed,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const { createPayments } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }];

describe.each(bothProviders)("the life of a project (%s)", (provider) => {
  it("is created with one POST and one PATCH, is left unchanged by the next up, and is updated by what differs alone", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD", "EU"], ldapGroupMappings: mappings }),
    });
    const { orgId } = sandbox;
    const created = await succeeded(stack.up());
    expect(created.changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: "/groups", body: { orgId, name: "payments" } },
      { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "PROD"], ldapGroupMappings: mappings } },
    ]);
    expect(sandbox.project(id)).toMatchObject({ tags: ["EU", "PROD"], ldapGroupMappings: mappings });
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: {
        orgId,
        name: "payments",
        tags: ["EU", "PROD"],
        ldapGroupMappings: mappings,
        origin: "created",
        onDestroy: "delete",
        tagsVisible: true,
      },
    });

    sandbox.clearRequests();
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    const tags = ["EU", "PROD", "TEAM-A"];
    await stack.setProgram(projectProgram({ orgId, name: "payments", tags, ldapGroupMappings: mappings }));
    const updated = await succeeded(stack.up());
    expect(updated.changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { tags } }]);
    expect(sandbox.project(id)).toMatchObject({ name: "payments", tags, ldapGroupMappings: mappings });
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { tags } });
  });

  // Trap 14: on "same" the engine stores the new checked inputs, so two orders of one set have to be checked to one form.
  it("has no change when the program or the service lists the same tags, mappings and groups in another order", async () => {
    const unsorted = [
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=ops", "cn=audit"] },
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] },
    ];
    const { sandbox, stack } = await createPayments(
      { tags: ["B", "A", "C"], ldapGroupMappings: unsorted },
      { provider, sandbox: { ldap: true } },
    );
    const before = await stack.resource("payments");
    sandbox.clearRequests();

    await stack.setProgram(
      projectProgram({
        ldapGroupMappings: unsorted
          .map(({ roleName, ldapGroups }) => ({ ldapGroups: [...ldapGroups].reverse(), roleName }))
          .reverse(),
        tags: ["C", "B", "A"],
        name: "payments",
        orgId: sandbox.orgId.toUpperCase(),
      }),
    );
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    const after = await stack.resource("payments");
    expect(after?.inputs).toEqual(before?.inputs);
    expect(after?.outputs?.tags).toEqual(["A", "B", "C"]);

    sandbox.changeProject(projectNamed(sandbox, "payments").id, {
      tags: ["B", "C", "A"],
      ldapGroupMappings: unsorted,
    });
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("shows in a plain preview what was changed outside Pulumi, and a plain up corrects it", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack, id } = await createPayments(
      { tags: ["PROD", "TEAM-A"], ldapGroupMappings: mappings },
      { provider, sandbox: { ldap: true } },
    );
    const drifted = { name: "by-hand", tags: ["PROD", "URGENT"], ldapGroupMappings: [] };
    sandbox.changeProject(id, drifted);
    sandbox.clearRequests();

    const preview = await stack.preview({ diff: true, expectNoChanges: true });
    expect(preview).toMatchObject({ exitCode: 7, changes: { update: 1 } });
    const { shownPaths, shownText } = differences[provider];
    const changed = { name: "update", "tags[1]": "update", "ldapGroupMappings[0]": "add" };
    expect(changedPaths(preview)).toEqual(shownPaths(changed));
    expect(preview.output).toContain(shownText('"by-hand" => "payments"'));
    expect(preview.output).toContain(shownText('"URGENT" => "TEAM-A"'));
    expect(writes(sandbox)).toEqual([]);
    expect(sandbox.project(id)).toMatchObject(drifted);

    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(sandbox.project(id)).toMatchObject({
      name: "payments",
      tags: ["PROD", "TEAM-A"],
      ldapGroupMappings: mappings,
    });
    expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
  });

  // Trap 2: a refresh shows what our Diff of the live inputs against the recorded ones returns, with the sides exchanged.
  it("shows drift in refresh --preview-only --json, records it by refresh, and the next up corrects it", async () => {
    const { sandbox, stack } = await createPayments({ tags: ["PROD"] }, { provider });
    const preview = () => stack.refresh({ previewOnly: true, expectNoChanges: true, json: true });
    const clean = await succeeded(preview());
    expect(digestOf(clean).changeSummary).toEqual({ same: 2 });
    expect((await succeeded(stack.refresh({ expectNoChanges: true }))).changes).toEqual({ same: 1 });

    const { id } = projectNamed(sandbox, "payments");
    sandbox.changeProject(id, { tags: ["PROD", "URGENT"] });
    const run = await preview();
    expect(run.exitCode).toBe(7);
    const [step] = jsonSteps(run, "payments");
    expect(step).toMatchObject({
      op: "update",
      oldState: { inputs: { tags: ["PROD"] } },
      newState: { inputs: { tags: ["PROD", "URGENT"] } },
    });
    expect(step?.detailedDiff).toMatchObject({ "tags[1]": { kind: "add" } });
    expect(await stack.resource("payments")).toMatchObject({ inputs: { tags: ["PROD"] } });

    sandbox.changeProject(id, { tags: ["URGENT"] });
    sandbox.clearRequests();
    expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({
      inputs: { tags: ["URGENT"] },
      outputs: { tags: ["URGENT"] },
    });
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  });

  // Trap 1: a deleted project is an empty id and no properties at all.
  it("is created again after it was deleted outside Pulumi, and a refresh has dropped it", async () => {
    const { sandbox, stack, id: first } = await createPayments({ tags: ["PROD"] }, { provider });
    sandbox.removeProject(first);
    const refresh = await succeeded(stack.refresh());
    expect(refresh.changes).toEqual({ delete: 1 });
    expect(await stack.resource("payments")).toBeUndefined();
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    const second = projectNamed(sandbox, "payments");
    expect(second.tags).toEqual(["PROD"]);
    expect(second.id).not.toBe(first);
    expect(await stack.resource("payments")).toMatchObject({ id: second.id });

    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it("is deleted when the program no longer declares it, and with its stack, also when it no longer exists", async () => {
    const program = ({ orgId }: { orgId: string }) => projectProgram({ orgId, name: "payments" });
    const { sandbox, stack } = await setUpStack({ provider, program });
    await succeeded(stack.up());
    await stack.setProgram(emptyProgram);
    expect((await succeeded(stack.up())).changes).toEqual({ delete: 1 });
    expect(sandbox.state.projects).toEqual([]);

    await stack.setProgram(program(sandbox));
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.clearRequests();
    expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 1 });
    expect(writes(sandbox)).toEqual([{ method: "DELETE", path: `/groups/${id}` }]);
    expect(projectsNamed(sandbox, "payments")).toEqual([]);
    expect((await stack.state()).resources).toEqual([]);

    await succeeded(stack.up());
    sandbox.removeProject(projectNamed(sandbox, "payments").id);
    await succeeded(stack.destroy());
    expect((await stack.state()).resources).toEqual([]);
  });
});
