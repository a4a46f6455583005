/** A project that exists comes into a stack: by projectId, by import, or not at all because its name is taken. */
import { project } from "../../../provider/resources/project";
import { UNKNOWN } from "../../../provider/resources/values";
import { failureOf } from "../client/with-client";
import { type Run, runs } from "./with-project";

const start = runs();

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners", "cn=founders"] }];
const fewerMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];

const writes = ({ sandbox }: Run) =>
  sandbox.requests.filter(({ method, authorized }) => method !== "GET" && authorized);

describe("a project that is adopted by its projectId", () => {
  test("gets the declared values, and each value that this overwrites is logged", async () => {
    const run = await start({ ldap: true });
    const { sandbox, create, infos, warnings } = run;
    const { id } = sandbox.addProject({
      name: "payments",
      tags: ["OLD", "PROD"],
      ldapGroupMappings: mappings,
    });
    const inputs = { projectId: id, name: "billing", tags: ["PROD"], ldapGroupMappings: fewerMappings };
    const { state } = await create(inputs);
    expect(sandbox.project(id)).toMatchObject({
      name: "billing",
      tags: ["PROD"],
      ldapGroupMappings: fewerMappings,
    });
    expect(state).toEqual({
      projectId: id,
      orgId: sandbox.orgId,
      name: "billing",
      tags: ["PROD"],
      ldapGroupMappings: fewerMappings,
      origin: "adopted",
      onDestroy: "release",
      tagsVisible: true,
    });
    expect(infos).toEqual([
      `Adopting project ${id} ("payments"): name "payments" becomes "billing"; tag "OLD" is removed; GROUP_OWNER is no longer mapped to "cn=founders".`,
    ]);
    expect(warnings).toEqual([]);
  });

  test("is not written to, and nothing is logged, if it is as declared", async () => {
    const run = await start();
    const { sandbox, create, infos } = run;
    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"] });
    await create({ projectId: id, name: "payments", tags: ["PROD"] });
    expect(writes(run)).toEqual([]);
    expect(infos).toEqual([]);
  });

  test("is shown by a preview as it will be, and is not written to", async () => {
    const run = await start();
    const { sandbox, preview, infos } = run;
    const { id } = sandbox.addProject({ name: "payments", tags: ["OLD"] });
    const previewed = await preview({ projectId: id, tags: ["PROD"] });
    expect(previewed).toEqual({
      id,
      state: {
        projectId: id,
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["PROD"],
        origin: "adopted",
        onDestroy: "release",
        tagsVisible: true,
      },
    });
    expect(writes(run)).toEqual([]);
    expect(infos).toEqual([`Adopting project ${id} ("payments"): tag "OLD" is removed.`]);
  });

  test("is refused if it belongs to another organization than declared", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    const other = "5f00000000000000000000ff";
    const failure = await failureOf(create({ projectId: id, orgId: other, tags: ["PROD"] }));
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(failure.message).toContain(
      `Project ${id} ("payments") belongs to organization ${sandbox.orgId}, not to ${other}`,
    );
    expect(sandbox.project(id)?.tags).toEqual([]);
  });

  test("is refused if the key may not read it", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    sandbox.addFault({ method: "GET", fault: { status: 403 } });
    expect(await failureOf(create({ projectId: id, tags: ["PROD"] }))).toMatchObject({ status: 403 });
    expect(sandbox.project(id)?.tags).toEqual([]);
  });

  test("keeps the tags that ignoreTags names, and both together may not exceed ten", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments", tags: ["K8S_1", "OLD"] });
    const ten = Array.from({ length: 10 }, (_, index) => `T${index}`);
    const failure = await failureOf(create({ projectId: id, tags: ten, ignoreTags: ["K8S_*"] }));
    expect(failure.message).toContain(`declared are ${ten.join(", ")}, and ignoreTags keeps K8S_1: 11`);
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1", "OLD"]);
    const nine = ten.slice(1);
    await create({ projectId: id, tags: nine, ignoreTags: ["K8S_*"] });
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1", ...nine]);
  });

  test("is refused with nothing declared where the service does not offer reading it", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 405, body: "" } });
    const failure = await failureOf(create({ projectId: id }));
    expect(failure.message).toContain("give at least one of name, tags and ldapGroupMappings");
  });

  test("is refused with ignoreTags where the service does not offer reading it", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments", tags: ["K8S_1"] });
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 405, body: "" } });
    const failure = await failureOf(create({ projectId: id, tags: ["PROD"], ignoreTags: ["K8S_*"] }));
    expect(failure.message).toContain("ignoreTags cannot be applied: this service does not offer reading");
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1"]);
  });

  test("is a partial failure if it turns out to belong to another organization only after the write", async () => {
    const { sandbox, create } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    const other = "5f00000000000000000000ff";
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 405, body: "" } });
    const failure = await failureOf(create({ projectId: id, orgId: other, tags: ["PROD"] }));
    expect(failure).toMatchObject({ code: "OPSMANAGER_PARTIAL", id, state: { orgId: sandbox.orgId } });
    expect(failure.message).toContain(`not to ${other}`);
  });
});

describe("a key to which the service shows no tags", () => {
  const hidden = (fields: object) => ({ status: 200, body: { ...fields } });

  test("records them as declared, and the log reports it", async () => {
    const { sandbox, create, warnings } = await start();
    const { id, orgId } = sandbox.addProject({ name: "payments" });
    const response = hidden({ id, orgId, name: "payments" });
    sandbox.addFault({ method: "GET", times: 0, fault: response });
    sandbox.addFault({ method: "PATCH", fault: response });
    const { state } = await create({ projectId: id, tags: ["PROD"] });
    expect(state).toMatchObject({ tags: ["PROD"], tagsVisible: false });
    expect(warnings).toEqual([expect.stringContaining("The service accepted the tags but shows none")]);
  });

  test("is refused with ignoreTags, as the tags of others would be removed", async () => {
    const { sandbox, create } = await start();
    const { id, orgId } = sandbox.addProject({ name: "payments", tags: ["K8S_1"] });
    sandbox.addFault({ method: "GET", times: 0, fault: hidden({ id, orgId, name: "payments" }) });
    const failure = await failureOf(create({ projectId: id, tags: ["PROD"], ignoreTags: ["K8S_*"] }));
    expect(failure.message).toContain("the service shows no tags to this API key");
    expect(sandbox.project(id)?.tags).toEqual(["K8S_1"]);
  });

  test("keeps the last known tags when it reads, and the log reports it", async () => {
    const { sandbox, create, warnings, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const { id, state } = await create(inputs);
    sandbox.addFault({ method: "GET", fault: hidden({ id, orgId: sandbox.orgId, name: "payments" }) });
    const read = await project.read({ id, state, oldInputs: inputs, context });
    expect(read?.state).toMatchObject({ tags: ["PROD"], tagsVisible: true });
    expect(warnings).toEqual([
      expect.stringMatching(/unreadable.*The tags of project \w+ are no longer visible to this API key/),
    ]);
  });
});

test("a response that lacks the tags that were sent is checked with another read", async () => {
  const { sandbox, create, warnings } = await start();
  const { id, orgId } = sandbox.addProject({ name: "payments" });
  sandbox.addFault({
    method: "PATCH",
    fault: { status: 200, body: { id, orgId, name: "payments", tags: [] }, afterWrite: true },
  });
  const { state } = await create({ projectId: id, tags: ["PROD"] });
  expect(state).toMatchObject({ tags: ["PROD"], tagsVisible: true });
  expect(warnings).toEqual([]);
});

test("a value that the service stores otherwise is a partial failure that names both", async () => {
  const { sandbox, create } = await start();
  const { id, orgId } = sandbox.addProject({ name: "payments", tags: ["OLD"] });
  const response = { id, orgId, name: "Payments", tags: ["PRODUCTION"] };
  sandbox.addFault({ method: "PATCH", fault: { status: 200, body: response } });
  const failure = await failureOf(create({ projectId: id, name: "billing", tags: ["PROD"] }));
  expect(failure).toMatchObject({ code: "OPSMANAGER_PARTIAL", id, state: { name: "Payments" } });
  expect(failure.message).toContain('name was sent as "billing", but the service stored "Payments".');
  expect(failure.message).toContain('tags was sent as ["PROD"], but the service stored ["PRODUCTION"].');
});

describe("an import", () => {
  test("records the live values, and gives a program's inputs", async () => {
    const { sandbox, context } = await start({ ldap: true });
    const { id } = sandbox.addProject({ name: "payments", tags: ["PROD"], ldapGroupMappings: mappings });
    const read = await project.read({ id: id.toUpperCase(), context });
    const sorted = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=founders", "cn=owners"] }];
    expect(read).toEqual({
      id,
      inputs: { orgId: sandbox.orgId, name: "payments", tags: ["PROD"], ldapGroupMappings: sorted },
      state: {
        projectId: id,
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["PROD"],
        ldapGroupMappings: sorted,
        origin: "imported",
        onDestroy: "release",
        tagsVisible: true,
      },
    });
  });

  test("gives no inputs for tags and mappings that the project does not have", async () => {
    const { sandbox, context } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    const read = await project.read({ id, context });
    expect(read?.inputs).toEqual({ orgId: sandbox.orgId, name: "payments" });
  });

  test("of something that is not an id is refused, and one of a project that does not exist finds nothing", async () => {
    const { context } = await start();
    const failure = await failureOf(project.read({ id: "payments", context }));
    expect(failure.message).toBe(
      '"payments" is not the id of a project: a Project is imported by its projectId, 24 hexadecimal digits.',
    );
    await expect(project.read({ id: "5f00000000000000000000ff", context })).resolves.toBeUndefined();
  });

  test("that the service does not respond is a failure", async () => {
    const { sandbox, context } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    sandbox.addFault({ method: "GET", fault: { status: 500 } });
    expect(await failureOf(project.read({ id, context }))).toMatchObject({ status: 500 });
  });
});

describe("a name that another project has", () => {
  test("is refused before anything is written, with the solutions, in a preview too", async () => {
    const run = await start();
    const { sandbox, create, preview } = run;
    const { id } = sandbox.addProject({ name: "payments" });
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const failure = await failureOf(create(inputs));
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(failure.message).toBe(
      `Organization ${sandbox.orgId} already has a project named "payments": ${id}. Nothing was written. If this resource was renamed in the program, give it an alias: aliases: [{ name: <old name> }]; in a project file, write key: <old name>. If another resource of the program gives up the name, make this resource depend on it, or run pulumi up without this resource first. To adopt an existing project, set projectId: "${id}", or import it: pulumi import opsmanager:index:Project payments ${id}.`,
    );
    expect((await failureOf(preview(inputs))).message).toBe(failure.message);
    expect(writes(run)).toEqual([]);
  });

  test("is refused with --refresh as a further solution if the provider does not read before an update", async () => {
    const { sandbox, create } = await start({}, { refreshBeforeUpdate: false });
    sandbox.addProject({ name: "payments" });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure.message).toContain("If this run replaces the resource (--replace), add --refresh.");
  });

  test("is refused without the name of the resource where the engine does not give it", async () => {
    const { sandbox, context } = await start({}, { refreshBeforeUpdate: false });
    const { id } = sandbox.addProject({ name: "payments" });
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const failure = await failureOf(
      project.create({ inputs, preview: false, context: { ...context, urn: "payments" } }),
    );
    expect(failure.message).toMatch(new RegExp(`set projectId: "${id}"\\.$`));
    expect(failure.message).not.toContain("--replace");
  });

  test("is refused with all ids if several projects have it", async () => {
    const { sandbox, create } = await start();
    const { orgId } = sandbox;
    const entries = ["5f00000000000000000000a1", "5f00000000000000000000a2"].map((id) => ({
      id,
      name: "payments",
      orgId,
    }));
    for (const { id } of entries) {
      const fault = { status: 200, body: { id, name: "payments", orgId } };
      sandbox.addFault({ method: "GET", pathPattern: `/groups/${id}`, fault });
    }
    const listed = { status: 200, body: { results: entries, totalCount: 2 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/\\w+/groups", fault: listed });
    const failure = await failureOf(create({ orgId, name: "payments" }));
    expect(failure.message).toContain(
      'already has 2 projects named "payments": 5f00000000000000000000a1, 5f00000000000000000000a2.',
    );
    expect(failure.message).toContain(
      "set projectId: <one of these>, or import it: pulumi import opsmanager:index:Project payments <id>.",
    );
  });

  test.each([
    ["oldName", "in a project file by key: oldName"],
    ["payments", "for a project file by transforms of its ProjectFolder"],
  ])("is refused with an alias if this stack holds the project as %s", async (name, advice) => {
    const { sandbox, create, context } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    const type =
      name === "payments" ? "my:index:Folder$opsmanager:index:Project" : "opsmanager:index:Project";
    const holder = `urn:pulumi:dev::proj::${type}::${name}`;
    const names = [{ orgId: sandbox.orgId, name: "payments" }];
    context.session.observations.record(holder, { kind: "Project", id, origin: "created", names });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure.message).toContain(`This stack holds it as ${holder}.`);
    expect(failure.message).toContain(`aliases: ["${holder}"], ${advice}.`);
  });

  test("is refused where the service does not offer listing the projects of an organization", async () => {
    const { sandbox, create } = await start();
    sandbox.addFault({ method: "GET", times: 0, fault: { status: 405, body: "" } });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure).toMatchObject({ code: "OPSMANAGER_REFUSED" });
    expect(failure.message).toContain("Set projectId to manage an existing project.");
  });

  test("is not decided if the list cannot be read", async () => {
    const { sandbox, create } = await start();
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/", fault: { status: 500 } });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure).toMatchObject({ status: 500 });
  });

  test("is that of the project itself if the resource is replaced", async () => {
    const { sandbox, create, context } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const first = await create(inputs);
    project.diff({ ...first, oldInputs: inputs, inputs, ignoreChanges: [], context });
    const second = await create({ ...inputs, tags: ["PROD"] });
    expect(second).toMatchObject({ id: first.id, state: { origin: "created", tags: ["PROD"] } });
  });
});

describe("a preview of a creation", () => {
  test("shows what is declared, and that the rest is not known yet", async () => {
    const run = await start();
    const { sandbox, preview, warnings } = run;
    const inputs = { orgId: sandbox.orgId, name: "payments", tags: ["PROD"] };
    const expected = {
      projectId: UNKNOWN,
      orgId: sandbox.orgId,
      name: "payments",
      tags: ["PROD"],
      origin: "created",
      onDestroy: "delete",
      tagsVisible: UNKNOWN,
    };
    expect(await preview(inputs)).toEqual({ id: "", state: expected });
    expect(warnings).toEqual([]);
    expect(writes(run)).toEqual([]);
    expect(await preview({ ...inputs, name: UNKNOWN })).toEqual({
      id: "",
      state: { ...expected, name: UNKNOWN },
    });
    expect(await preview({ ...inputs, orgId: UNKNOWN })).toEqual({
      id: "",
      state: { ...expected, orgId: UNKNOWN },
    });
    expect(await preview({ projectId: UNKNOWN, tags: ["PROD"] })).toEqual({
      id: "",
      state: { ...expected, orgId: UNKNOWN, name: UNKNOWN, origin: "adopted", onDestroy: "release" },
    });
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain("Some values are not known yet");
  });
});

describe("a creation whose response was lost", () => {
  const lost = { method: "POST", pathPattern: "/groups$", fault: "reset-before-write" } as const;

  test("is an error with what the read afterwards found: no project", async () => {
    const { sandbox, create } = await start();
    sandbox.addFault({ ...lost, fault: { status: 500 } });
    const failure = await failureOf(create({ orgId: sandbox.orgId, name: "payments" }));
    expect(failure).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(failure.message).toContain('A read afterwards found no project named "payments". Run pulumi up');
    expect(failure.cause).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
  });

  test("is an error with the reason if the read afterwards fails", async () => {
    const { sandbox, create } = await start();
    const inputs = { orgId: sandbox.orgId, name: "payments" };
    const empty = { status: 200, body: { results: [], totalCount: 0 } };
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/", fault: empty });
    sandbox.addFault({ method: "GET", pathPattern: "/orgs/", times: 0, fault: { status: 403 } });
    sandbox.addFault({ ...lost, fault: { status: 500 } });
    const failure = await failureOf(create(inputs));
    expect(failure).toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(failure.message).toContain("A read afterwards failed as well: ");
  });
});
