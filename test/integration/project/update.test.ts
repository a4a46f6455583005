/** The life of a recorded project: update, read and destroy. */
import { deleteProject } from "../../../provider/api/projects";
import { project } from "../../../provider/resources/project";
import { UNKNOWN } from "../../../provider/resources/values";
import { failureOf } from "../client/with-client";
import { type Run, runs } from "./with-project";

const start = runs();

const patches = ({ sandbox }: Run) =>
  sandbox.requests.filter(({ method, authorized }) => method === "PATCH" && authorized);

describe("an update", () => {
  test("writes the difference to what is live, and returns the new state", async () => {
    const run = await start();
    const { sandbox, create, update, infos } = run;
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const created = await create(inputs);
    const before = patches(run).length;
    const state = await update(created, inputs, { ...inputs, name: "billing", tags: ["PROD", "EU"] });
    expect(state).toEqual({
      projectId: created.id,
      orgId: sandbox.orgId,
      name: "billing",
      tags: ["EU", "PROD"],
      origin: "created",
      onDestroy: "delete",
      tagsVisible: true,
    });
    expect(sandbox.project(created.id)).toMatchObject({ name: "billing", tags: ["EU", "PROD"] });
    expect(patches(run)).toHaveLength(before + 1);
    expect(infos).toEqual([]);
  });

  test("sends nothing if the project is as declared already", async () => {
    const run = await start();
    const { sandbox, create, update } = run;
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const created = await create(inputs);
    const state = await update(created, inputs, { ...inputs, onDestroy: "release" });
    expect(state).toMatchObject({ name: "payments", onDestroy: "release" });
    expect(patches(run)).toEqual([]);
  });

  test("logs which properties are no longer managed, and which count at creation alone", async () => {
    const run = await start();
    const { sandbox, create, update, infos } = run;
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const created = await create(inputs);
    const before = patches(run).length;
    const { id } = created;
    await update(created, inputs, { projectId: id, withDefaultAlertsSettings: false });
    expect(infos).toEqual([
      "name is no longer managed; nothing was sent.",
      "tags is no longer managed; nothing was sent. Use [] to clear.",
      "withDefaultAlertsSettings is used only when a project is created; nothing was sent.",
    ]);
    expect(patches(run)).toHaveLength(before);
  });

  test("does not send what ignoreChanges names", async () => {
    const { sandbox, create, update } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const created = await create(inputs);
    const changed = { orgId: "5f00000000000000000000ff", name: "billing", tags: ["EU"] };
    const ignoreChanges = ["tags", "orgId"];
    await update(created, inputs, changed, { ignoreChanges });
    expect(sandbox.project(created.id)).toMatchObject({ name: "billing", tags: ["PROD"] });
    const failure = await failureOf(update(created, inputs, changed, { ignoreChanges: ["tags"] }));
    expect(failure.message).toContain("not to 5f00000000000000000000ff");
  });

  test("keeps tags that the former ignoreTags named", async () => {
    const { sandbox, create, update } = await start();
    const { id } = sandbox.addProject({ name: "payments", tags: ["K8S_1", "OLD"] });
    const inputs = { projectId: id, tags: ["PROD"], ignoreTags: ["K8S_*"] };
    const created = await create(inputs);
    await update(created, inputs, { projectId: id, tags: ["EU"] });
    expect(sandbox.project(id)?.tags).toEqual(["EU", "K8S_1"]);
  });

  test("writes where the service does not offer reading a project, and keeps the recorded tags", async () => {
    const { sandbox, create, update } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const created = await create(inputs);
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 405, body: "" } });
    const response = { id: created.id, orgId: sandbox.orgId, name: "billing" };
    sandbox.addFault({ method: "PATCH", fault: { status: 200, body: response } });
    const state = await update(created, inputs, { orgId: sandbox.orgId, name: "billing" });
    expect(state).toMatchObject({ name: "billing", tags: ["PROD"], tagsVisible: true });
    const same = await update({ ...created, state }, inputs, { projectId: created.id });
    expect(same).toMatchObject({ name: "billing", origin: "created" });
  });
});

describe("the preview of an update", () => {
  test("shows the declared values, and logs what changed after it was recorded", async () => {
    const run = await start();
    const { sandbox, create, update, infos, warnings } = run;
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"], ignoreTags: ["K8S_*"] };
    const created = await create(inputs);
    Object.assign(sandbox.state.projects[0] ?? {}, { tags: ["PROD", "OUTSIDE", "OTHERS"] });
    const before = patches(run).length;
    const state = await update(
      created,
      inputs,
      { orgId: sandbox.orgId, name: "payments", tags: ["EU"] },
      { preview: true },
    );
    expect(state).toMatchObject({ projectId: created.id, tags: ["EU"], onDestroy: "delete" });
    expect(state.ignoreTags).toBeUndefined();
    expect(infos).toEqual([
      'Changed in the service since it was recorded: tag "OTHERS" is removed; tag "OUTSIDE" is removed.',
    ]);
    expect(warnings).toEqual([]);
    expect(patches(run)).toHaveLength(before);
  });

  test("logs nothing if nothing changed, and warns that unknown values could not be checked", async () => {
    const { sandbox, create, update, infos, warnings } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const created = await create(inputs);
    const changed = { ...inputs, tags: UNKNOWN } as const;
    const state = await update(created, inputs, changed, { preview: true });
    expect(state.tags).toBe(UNKNOWN);
    expect(infos).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("Some values are not known yet")]);
  });
});

describe("a read", () => {
  test("returns the live values under the keys that the program declares", async () => {
    const { sandbox, create, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"], onDestroy: "release" };
    const { id, state } = await create(inputs);
    Object.assign(sandbox.state.projects[0] ?? {}, { name: "billing", tags: ["OUTSIDE"] });
    const read = await project.read({ id, state, oldInputs: inputs, context });
    expect(read).toMatchObject({
      id,
      state: { name: "billing", tags: ["OUTSIDE"], onDestroy: "release" },
      inputs: { orgId: sandbox.orgId, name: "billing", tags: ["OUTSIDE"], onDestroy: "release" },
    });
    expect(read?.inputs).not.toHaveProperty("ldapGroupMappings");
  });

  test("of mappings on a service without LDAP returns an empty list", async () => {
    const { sandbox, create, context } = await start({ ldap: true });
    const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"], ldapGroupMappings };
    const { id, state } = await create(inputs);
    const fault = { status: 200, body: { id, orgId: sandbox.orgId, name: "payments", tags: [] } };
    sandbox.addFault({ method: "GET", fault });
    const read = await project.read({ id, state, oldInputs: inputs, context });
    expect(read?.inputs).toEqual({ ...inputs, tags: [], ldapGroupMappings: [] });
  });

  test("of a deleted project returns nothing", async () => {
    const { sandbox, create, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const { id, state } = await create(inputs);
    await deleteProject(context.session.client, id);
    await expect(project.read({ id, state, oldInputs: inputs, context })).resolves.toBeUndefined();
  });

  test("that the key is refused keeps the last known state, and the log reports it", async () => {
    const { sandbox, create, context, warnings } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const { id, state } = await create(inputs);
    sandbox.addFault({
      method: "GET",
      pathPattern: `/groups/${id}`,
      fault: { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED", detail: "Not allowed." } },
    });
    const read = await project.read({ id, state, oldInputs: inputs, context });
    expect(read).toEqual({ id, state, inputs });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^\[unreadable\] \[project \w+\] Project \w+ cannot be read with this API key, so/,
      ),
    ]);
  });
});

describe("destroying", () => {
  test("leaves a project that another resource of the run declares, and the log names it", async () => {
    const { sandbox, create, context, infos } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const { id, state } = await create(inputs);
    context.session.forget();
    const owner = "urn:pulumi:dev::proj::opsmanager:index:Project::renamed";
    context.session.claims.claimProject(owner, id);
    await project.delete({ id, state, oldInputs: inputs, context });
    expect(sandbox.project(id)).toBeDefined();
    expect(infos).toEqual([`Project ${id} is retained: declared by ${owner}.`]);
    // A replacement that deletes first creates next, and finds the project as its own.
    expect(context.session.observations.last(owner)?.id).toBe(id);
  });

  test("leaves a project whose organization and name another resource of the run declares", async () => {
    const { sandbox, create, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const { id, state } = await create(inputs);
    context.session.forget();
    const owner = "urn:pulumi:dev::proj::opsmanager:index:Project::renamed";
    context.session.claims.claimProjectName(owner, { orgId: sandbox.orgId, name: "payments" });
    await project.delete({ id, state, oldInputs: inputs, context });
    expect(sandbox.project(id)).toBeDefined();
  });

  test("releases an adopted project, and the log reports it", async () => {
    const { sandbox, create, destroy, infos } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    const inputs = { projectId: id };
    await destroy(await create(inputs), inputs);
    expect(sandbox.project(id)).toBeDefined();
    expect(infos).toEqual([
      `Project ${id} ("payments", adopted) was released: the service retains it and its members.`,
    ]);
  });

  test("of a project that is deleted already is done", async () => {
    const { sandbox, create, destroy, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const created = await create(inputs);
    await deleteProject(context.session.client, created.id);
    await expect(destroy(created, inputs)).resolves.toBeUndefined();
  });

  test("is refused with a solution if the service does not offer it", async () => {
    const { sandbox, create, destroy } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const created = await create(inputs);
    sandbox.addFault({ method: "DELETE", fault: { status: 405, body: "" } });
    const failure = await failureOf(destroy(created, inputs));
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED", cause: { status: 405 } });
    expect(failure.message).toContain('Set onDestroy: "release", run pulumi up, and destroy again');
  });

  test("fails if the service refuses it", async () => {
    const { sandbox, create, destroy } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const created = await create(inputs);
    sandbox.addFault({
      method: "DELETE",
      fault: { status: 409, body: { error: 409, errorCode: "CANNOT_CLOSE_GROUP_ACTIVE_ATLAS_CLUSTERS" } },
    });
    expect(await failureOf(destroy(created, inputs))).toMatchObject({ status: 409 });
  });
});
