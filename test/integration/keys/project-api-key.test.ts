/** ProjectApiKey: the roles of one API key in one project. */

import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  admin,
  apiKey,
  orgId,
  otherProjectId,
  projectApiKey,
  projectId,
  rolesOf,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

const path = `/groups/${projectId}/apiKeys`;
const elsewhere = [`GROUP_OWNER ${otherProjectId}`, `ORG_READ_ONLY ${orgId}`];
const theirRoles = (sandbox: Parameters<typeof rolesOf>[0]) => rolesOf(sandbox, theirs.publicKey);

it.each(bothProviders)(
  "a key that the program creates gets its roles, keeps them, and loses those in the project alone (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
    const key = apiKey();
    const inProject = (roles: readonly string[]) => projectApiKey({ keyId: "${ci.keyId}", roles });
    const { sandbox, stack, declare } = await setUpKeys(
      { ci: key, access: inProject(["GROUP_READ_ONLY"]) },
      { provider },
    );
    await succeeded(stack.up());
    const { id, publicKey } = theNewKey(sandbox);
    expect(writes(sandbox).at(-1)).toEqual({
      method: "PATCH",
      path: `${path}/${id}`,
      body: { roles: ["GROUP_READ_ONLY"] },
    });
    expect(await stack.resource("access")).toMatchObject({
      id: `${projectId}/${id}`,
      outputs: {
        keyId: id,
        publicKey,
        roles: ["GROUP_READ_ONLY"],
        orgId,
        origin: "created",
      },
    });
    expect(await upAgain({ sandbox, stack })).toEqual({ ...nothing, changes: { same: 2 } });

    sandbox.changeKey(publicKey, {
      roles: [
        { orgId, roleName: "ORG_MEMBER" },
        { groupId: projectId, roleName: "GROUP_OWNER" },
      ],
    });
    await succeeded(stack.up());
    expect(rolesOf(sandbox, publicKey)).toEqual([`GROUP_READ_ONLY ${projectId}`, `ORG_MEMBER ${orgId}`]);

    await declare({ ci: key, access: inProject(["GROUP_MONITORING_ADMIN", "GROUP_READ_ONLY"]) });
    await succeeded(stack.up());
    expect(rolesOf(sandbox, publicKey)).toContain(`GROUP_MONITORING_ADMIN ${projectId}`);

    await declare({ ci: key });
    await succeeded(stack.up());
    expect(rolesOf(sandbox, publicKey)).toEqual([`ORG_MEMBER ${orgId}`]);
  },
);

it.each([
  ["its id", { keyId: theirs.id }],
  ["its public key", { publicKey: theirs.publicKey }],
])("a key that exists is adopted by %s, and its other roles stay", async (_, identity) => {
  const { sandbox, stack, declare } = await setUpKeys({
    access: projectApiKey({ ...identity, roles: ["GROUP_OWNER"] }),
  });
  const preview = await succeeded(stack.preview());
  expect(messagesOf(preview)).toContain(
    `has roles in project ${projectId} already: roles GROUP_READ_ONLY become GROUP_OWNER. From now on this resource manages the roles of the API key in this project: destroying it, or removing it from the program, takes them away. To prevent that, set onDestroy to "release".`,
  );
  await succeeded(stack.up());
  expect(theirRoles(sandbox)).toEqual([`GROUP_OWNER ${projectId}`, ...elsewhere].sort());
  expect(await stack.resource("access")).toMatchObject({ outputs: { origin: "adopted" } });

  await declare({ access: projectApiKey({ ...identity, roles: ["GROUP_BACKUP_ADMIN"] }) });
  await succeeded(stack.up());
  expect((await stack.resource("access"))?.outputs).toMatchObject({
    origin: "adopted",
    roles: ["GROUP_BACKUP_ADMIN"],
  });
  await declare({ access: projectApiKey({ ...identity, roles: ["GROUP_OWNER"] }) });
  await succeeded(stack.up());

  const both = { keyId: { publicKey: theirs.publicKey }, publicKey: { keyId: theirs.id } };
  const other = "keyId" in identity ? both.keyId : both.publicKey;
  await declare({ access: projectApiKey({ ...other, roles: ["GROUP_OWNER"] }) });
  expect(operations(await succeeded(stack.up()))).toEqual({ access: "same" });
  await succeeded(stack.destroy());
  expect(theirRoles(sandbox)).toEqual(elsewhere);
});

it("roles that were changed outside Pulumi are drift, and a key without a role in the project is added again", async () => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await succeeded(stack.up());
  sandbox.changeKey(theirs.publicKey, { roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }] });
  expect(changedPaths(await succeeded(stack.preview({ refresh: true })), "access")).toEqual({
    "roles[0]": "update",
  });
  sandbox.changeKey(theirs.publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
  await succeeded(stack.up({ refresh: true }));
  expect(theirRoles(sandbox)).toEqual([`GROUP_READ_ONLY ${projectId}`, `ORG_READ_ONLY ${orgId}`]);
});

it("two resources of one key in one project are an error, also if one names its id and the other its public key", async () => {
  const { sandbox, stack } = await setUpKeys({
    one: projectApiKey({ keyId: theirs.id }),
    other: projectApiKey({ publicKey: theirs.publicKey, roles: ["GROUP_OWNER"] }),
  });
  expect(await errorsOf(stack.up())).toContain(`in project ${projectId} is already declared by`);
  expect(theirRoles(sandbox)).toEqual([`GROUP_READ_ONLY ${projectId}`, ...elsewhere].sort());
});

it.each([
  ["publicKey", "nosuchkey"],
  ["keyId", "5f00000000000000000000cf"],
])(
  "a key that the organization does not have by its %s is an error of the preview",
  async (property, value) => {
    const { stack } = await setUpKeys({ access: projectApiKey({ [property]: value }) });
    expect(await errorsOf(stack.preview())).toContain(
      `Organization ${orgId} has no API key ${property === "publicKey" ? `"${value}"` : value} that these credentials can see. Check ${property}, or create the API key first; one of another organization cannot have roles in project ${projectId}. Nothing was written.`,
    );
  },
);

it("a key that lost its roles in the project since it was recorded gets them again by an update, as a created one", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.up());
  sandbox.changeKey(theirs.publicKey, { roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
  await declare({ access: projectApiKey({ keyId: theirs.id, roles: ["GROUP_OWNER"] }) });
  await succeeded(stack.up());
  expect(theirRoles(sandbox)).toEqual([`GROUP_OWNER ${projectId}`, `ORG_READ_ONLY ${orgId}`]);
  expect((await stack.resource("access"))?.outputs).toMatchObject({
    publicKey: theirs.publicKey,
    origin: "created",
  });
});

it("the key of the provider itself keeps its roles in the project", async () => {
  const { sandbox, stack, declare } = await setUpKeys({});
  const own = { publicKey: admin.publicKey };
  sandbox.changeKey(admin.publicKey, {
    roles: [
      { orgId, roleName: "ORG_OWNER" },
      { groupId: projectId, roleName: "GROUP_OWNER" },
    ],
  });
  await declare({ access: projectApiKey(own) });
  expect(await errorsOf(stack.preview())).toContain("keeps GROUP_OWNER");
  await declare({ access: projectApiKey({ ...own, roles: ["GROUP_OWNER"] }) });
  await succeeded(stack.up());
  for (const change of [{ publicKey: theirs.publicKey }, { projectId: otherProjectId }]) {
    await declare({ access: projectApiKey({ ...own, roles: ["GROUP_OWNER"], ...change }) });
    expect(await errorsOf(stack.up())).toContain(
      `API key ${admin.publicKey} keeps its roles in project ${projectId}`,
    );
  }
  expect(await errorsOf(stack.destroy())).toContain("the provider itself authenticates with it");
  expect(writes(sandbox)).toEqual([]);
});

it("taking roles from a key counts for maxRemovalsPerRun", async () => {
  const { sandbox, stack, declare } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await succeeded(stack.up());
  await stack.setConfig({ ...admin, maxRemovalsPerRun: 0 });
  await declare({});
  expect(await errorsOf(stack.up())).toContain("more than the setting maxRemovalsPerRun (0) allows");
  expect(theirRoles(sandbox)).toContain(`GROUP_READ_ONLY ${projectId}`);
});

it("a project that cannot be read confirms no path, so no role is taken", async () => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await succeeded(stack.up());
  const refusal = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  sandbox.addFault({
    method: "GET",
    pathPattern: `/groups/${projectId}$`,
    times: 0,
    fault: { status: 403, body: refusal },
  });
  expect(await errorsOf(stack.destroy())).toContain("Not for you.");
  expect(theirRoles(sandbox)).toContain(`GROUP_READ_ONLY ${projectId}`);
});

it.each([
  ["its id", theirs.id],
  ["its public key", theirs.publicKey],
])("the roles of a key are imported by %s, and the program has no difference", async (_, name) => {
  const { sandbox, stack, declare } = await setUpKeys({});
  await succeeded(stack.import("ProjectApiKey", "access", `${projectId}/${name}`));
  expect(await stack.resource("access")).toMatchObject({
    id: `${projectId}/${theirs.id}`,
    inputs: { projectId, keyId: theirs.id, roles: ["GROUP_READ_ONLY"] },
    outputs: { publicKey: theirs.publicKey, orgId, origin: "imported", onDestroy: "remove" },
  });
  await declare({ access: projectApiKey({ keyId: theirs.id }) });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

it("an import finds no key without a role in the project, none in a deleted project, and fails if none can be read", async () => {
  const { sandbox, stack } = await setUpKeys({});
  const importing = (id: string) => stack.import("ProjectApiKey", "access", id);
  for (const id of [`${projectId}/${admin.publicKey}`, `5f00000000000000000000af/${theirs.id}`]) {
    const run = await importing(id);
    expect([run.exitCode, messagesOf(run, "error")]).toEqual([1, ""]);
  }
  expect(await errorsOf(importing(projectId))).toContain(
    "does not name the roles of one API key in a project: a ProjectApiKey is imported by <projectId>/<keyId> or <projectId>/<publicKey>.",
  );
  sandbox.addFault({ method: "GET", pathPattern: "apiKeys", times: 0, fault: { status: 403 } });
  expect(await errorsOf(importing(`${projectId}/${theirs.id}`))).toContain("403");
});

it("the roles of a key stay recorded with a warning if they cannot be read, and leave the state with their project", async () => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await succeeded(stack.up());
  const before = await stack.resource("access");
  sandbox.addFault({ method: "GET", pathPattern: "groups/.*apiKeys", times: 0, fault: { status: 403 } });
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toContain(
    `[unreadable] [keys ${projectId}]`,
  );
  expect(await stack.resource("access")).toEqual(before);
  expect(await errorsOf(stack.destroy())).toContain("403");
  sandbox.clearFaults();
  sandbox.removeProject(projectId);
  await stack.setConfig({ refreshBeforeUpdate: false });
  await succeeded(stack.destroy());
  expect(await stack.resource("access")).toBeUndefined();
});

it("a key whose project does not show its organization cannot be found, and the error says why", async () => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ publicKey: admin.publicKey }) });
  sandbox.addFault({ method: "GET", pathPattern: `/groups/${projectId}$`, times: 0, fault: { status: 403 } });
  expect(await errorsOf(stack.up())).toContain(
    `API key ${admin.publicKey} cannot be found: these credentials cannot read project ${projectId}, so its organization is not known. Nothing was written.`,
  );
});

it.each(["release", "another resource"])("a key keeps its roles in a project by %s", async (way) => {
  const { sandbox, stack, declare } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  await succeeded(stack.up());
  const isReleased = way === "release";
  const next = projectApiKey({ keyId: theirs.id, ...(isReleased && { onDestroy: "release" }) });
  await declare(isReleased ? { access: next } : { renamed: next });
  const up = await succeeded(stack.up());
  const last = isReleased ? await succeeded(stack.destroy()) : up;
  expect(messagesOf(last)).toContain(
    isReleased
      ? `API key ${theirs.publicKey} was released and keeps its roles in project ${projectId}.`
      : `API key ${theirs.publicKey} keeps its roles in project ${projectId} because`,
  );
  expect(theirRoles(sandbox)).toContain(`GROUP_READ_ONLY ${projectId}`);
});

it("a rejected removal of a key's roles succeeds only if the complete list lacks the key", async () => {
  const { sandbox, stack } = await setUpKeys({ access: projectApiKey({ keyId: theirs.id }) });
  // Another key of the project stays in the list.
  sandbox.addKey({ orgId, desc: "other", roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }] });
  await succeeded(stack.up());
  const body = { error: 400, reason: "Bad Request", errorCode: "NOT_NOW", detail: "Not now." };
  const reject = (afterWrite: boolean) =>
    sandbox.addFault({ method: "DELETE", pathPattern: "apiKeys", fault: { status: 400, body, afterWrite } });
  reject(false);
  expect(await errorsOf(stack.destroy())).toContain("Not now.");
  reject(true);
  await succeeded(stack.destroy());
  expect(theirRoles(sandbox)).toEqual(elsewhere);
});

it("roles of a key that ignoreChanges names stay as they are in the service", async () => {
  const options = { ignoreChanges: ["roles"] };
  const access = (more = {}) => ({ ...projectApiKey({ keyId: theirs.id, ...more }), options });
  const { sandbox, stack, declare } = await setUpKeys({ access: access() });
  await succeeded(stack.up());
  sandbox.changeKey(theirs.publicKey, { roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }] });
  await declare({ access: access({ onDestroy: "release", roles: ["GROUP_BACKUP_ADMIN"] }) });
  await succeeded(stack.up());
  expect(theirRoles(sandbox)).toEqual([`GROUP_OWNER ${projectId}`]);
});
