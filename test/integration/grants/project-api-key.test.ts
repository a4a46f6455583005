/** ProjectApiKey: the key of the provider itself, and which path a removal may take. */

import { errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import {
  grant,
  grantCases,
  holdGrant,
  key,
  orgId,
  otherProjectId,
  own,
  projectId,
  projectOwner,
  reader,
  rolesOfKey,
  startGrants,
} from "./grants";

afterEach(tearDownStacks);

const [, which] = grantCases;
if (which?.kind !== "ProjectApiKey") throw new Error("The second kind of grant is that of API keys.");

const ofOwnKey = (...roles: readonly string[]) => ({
  roles: [{ orgId, roleName: "ORG_OWNER" }, ...roles.map((roleName) => ({ groupId: projectId, roleName }))],
});

it("the provider's own key may get roles in a project, and loses none by an update, a replacement or a deletion", async () => {
  const { sandbox, stack, declare } = await startGrants({});
  const access = (properties: object, ...roles: readonly string[]) => ({
    access: grant(which, { publicKey: own.publicKey, roles, ...properties }),
  });
  sandbox.changeKey(own.publicKey, ofOwnKey(projectOwner, reader));
  const refusals = async (declared: ReturnType<typeof access>, loss: string) => {
    await declare(declared);
    for (const verb of ["preview", "up"] as const) {
      expect(await errorsOf(stack[verb]())).toContain(
        `API key ${own.publicKey} keeps ${loss}: the provider itself authenticates with it`,
      );
    }
  };
  await refusals(access({}, "GROUP_BACKUP_ADMIN"), `${projectOwner}, ${reader} in project ${projectId}`);
  await declare(access({}, "GROUP_BACKUP_ADMIN", projectOwner, reader));
  await succeeded(stack.up());
  sandbox.clearRequests();
  await refusals(access({}, projectOwner), `GROUP_BACKUP_ADMIN, ${reader} in project ${projectId}`);
  for (const change of [{ publicKey: key.publicKey }, { projectId: otherProjectId }]) {
    await declare(access(change, projectOwner));
    expect(await errorsOf(stack.up())).toContain(`keeps its roles in project ${projectId}`);
  }
  expect(await errorsOf(stack.destroy())).toContain("the provider itself authenticates with it");
  expect(rolesOfKey(sandbox, own.publicKey)).toHaveLength(4);
});

it("the provider's own key may be released in one project and declared in another one", async () => {
  const { sandbox, stack, declare } = await startGrants({});
  sandbox.changeKey(own.publicKey, ofOwnKey(projectOwner));
  const access = (more: object) =>
    grant(which, { keyId: own.id, roles: [projectOwner], onDestroy: "release", ...more });
  for (const place of [projectId, otherProjectId]) {
    await declare({ access: access({ projectId: place }) });
    await succeeded(stack.up());
  }
  expect(rolesOfKey(sandbox, own.publicKey).map(({ groupId }) => groupId)).toEqual([
    undefined,
    projectId,
    otherProjectId,
  ]);
});

// With the ID of an organization, some documented forms of the path delete the key itself.
it("a project that cannot be read confirms no path, so no role is taken", async () => {
  const { sandbox, stack } = await holdGrant(which);
  const fault = refusal(403, "NOT_ALLOWED");
  sandbox.addFault({ method: "GET", pathPattern: `/groups/${projectId}$`, times: 0, fault });
  expect(await errorsOf(stack.destroy())).toContain("403 NOT_ALLOWED");
  expect(writes(sandbox)).toEqual([]);
  expect(which.rolesOf(sandbox).here).toEqual([reader]);
});
