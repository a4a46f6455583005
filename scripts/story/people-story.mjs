/** One member of a project, on `examples/team`: invited, active, changed outside Pulumi, corrected. */
import { chapter, expectInService, expectShown } from "./expect.mjs";
import { configure, forService } from "./settings.mjs";

const ada = "ada@example.com";

/** @param {import("./stage.mjs").Stage} stage */
export async function playPeopleStory(stage) {
  const { service } = stage;
  chapter("People: a project and all people who are to be in it");
  await stage.useExample("team");
  await stage.pulumi(["stack", "init", "demo"]);
  await configure(stage, { ...forService(service), orgId: service.orgId });
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), [`"${ada}"`, "5 created"]);
  const payments = service.state.projects.find(({ name }) => name === "payments");
  const projectId = payments?.id ?? "";
  /** @param {{ groupId?: string, username: string }} invitation */
  const isHers = ({ groupId, username }) => groupId === projectId && username === ada;
  const invitation = service.state.invitations.find(isHers);
  expectInService("Ada is invited as owner", invitation?.roles, ["GROUP_OWNER"]);
  if (!invitation) return;

  chapter("Ada accepts: she is the same member, and no invitation is sent again");
  service.acceptInvitation(invitation.id);
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["5 unchanged"]);
  expectInService("Ada is in, as owner", rolesOf(service, projectId), ["GROUP_OWNER"]);
  expectInService("no invitation of Ada is left", service.state.invitations.filter(isHers), []);

  chapter("A role is removed outside Pulumi; a plain preview shows it, and up restores it");
  service.setMember(projectId, { username: ada }, ["GROUP_READ_ONLY"]);
  const drift = await stage.pulumi(["preview", "--diff"]);
  expectShown(drift, ['"GROUP_READ_ONLY" => "GROUP_OWNER"', "1 to update", "4 unchanged"]);
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["1 updated"]);
  expectInService("Ada is owner again", rolesOf(service, projectId), ["GROUP_OWNER"]);

  await stage.pulumi(["destroy", "--yes", "--skip-preview"]);
  expectInService("the project no longer exists, nor do its members", service.project(projectId), undefined);
  expectInService("Ada's account is still there", service.user({ username: ada })?.username, ada);
}

/** @param {import("./stage.mjs").Sandbox} service @param {string} projectId */
function rolesOf(service, projectId) {
  const roles = service.user({ username: ada })?.roles ?? [];
  return roles.filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
}
