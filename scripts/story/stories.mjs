/**
 * The main job, shown with real `pulumi` commands. Each step is checked against the service's own state: what does not match ends the
 * story.
 */
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../lib/script.mjs";

/** @import { Sandbox, Stage } from "./stage.mjs" */

const owners = { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform,dc=example,dc=com"] };
const developers = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=developers,dc=example,dc=com"] };

/**
 * The main job through the provider plugin, on `examples/quickstart`.
 *
 * @param {Stage} stage
 * @returns the project that was created outside Pulumi, for the last story
 */
export async function playPluginStory(stage) {
  const { service } = stage;
  const legacy = service.addProject({ name: "legacy", tags: ["OLD"] });
  const invitation = service.addInvitation(legacy.id, {
    username: "ada@example.com",
    roles: ["GROUP_READ_ONLY"],
  });

  chapter("A Pulumi program in TypeScript, the service's address and a key");
  await stage.useExample("quickstart", {
    config: { legacyProjectId: legacy.id, invitationId: invitation.id },
  });

  chapter("up: one project is created, one that was created outside Pulumi is adopted by its id");
  const up = await stage.up();
  expectShown(up, ['tag "OLD" is removed', "3 created"]);
  const payments = service.state.projects.find(({ name }) => name === "payments");
  expectInService("payments exists, with tags and mapping", view(service, payments?.id), {
    name: "payments",
    tags: ["PROD", "TEAM_PAYMENTS"],
    ldapGroupMappings: [owners, developers],
  });
  if (!payments) return legacy;
  expectInService("legacy has the declared tags", view(service, legacy.id).tags, ["PROD", "TEAM_LEGACY"]);
  expectShown(up, ['invited   : "ada@example.com as GROUP_READ_ONLY"']);
  console.log("  and the program printed the recipient of the pending invitation");

  chapter("up again: there is nothing to do");
  expectShown(await stage.up(), ["3 unchanged"]);

  chapter("payments is changed outside Pulumi: name, tags and LDAP mapping");
  service.changeProject(payments.id, {
    name: "payments-old",
    tags: ["PROD", "BY_HAND"],
    ldapGroupMappings: [owners, { ...developers, ldapGroups: ["cn=allMembers,dc=example,dc=com"] }],
  });
  console.log("  done, past Pulumi's back");

  chapter("A plain preview shows exactly that, without --refresh");
  const drift = await stage.pulumi(["preview", "--diff"]);
  expectShown(drift.slice(drift.lastIndexOf("(update)")), [
    '"cn=allMembers,dc=example,dc=com" => "cn=developers,dc=example,dc=com"',
    '"payments-old" => "payments"',
    '"BY_HAND"',
    '"TEAM_PAYMENTS"',
    "1 to update",
    "2 unchanged",
  ]);

  chapter("up corrects it");
  expectShown(await stage.up(), ["1 updated"]);
  expectInService("payments is as declared again", view(service, payments.id), {
    name: "payments",
    tags: ["PROD", "TEAM_PAYMENTS"],
    ldapGroupMappings: [owners, developers],
  });

  chapter("destroy: deletes what the stack created, leaves what it adopted");
  await stage.pulumi(["destroy", "--yes", "--skip-preview"]);
  expectInService("payments no longer exists", service.project(payments.id), undefined);
  expectInService("legacy is still there", view(service, legacy.id).name, "legacy");
  return legacy;
}

/** @param {Sandbox} service @param {string | undefined} id */
function view(service, id) {
  const project = service.project(id ?? "");
  return { name: project?.name, tags: project?.tags, ldapGroupMappings: project?.ldapGroupMappings };
}

const ada = "ada@example.com";

/**
 * One member of a project, on `examples/team`: invited, active, changed outside Pulumi, corrected.
 *
 * @param {Stage} stage
 */
export async function playPeopleStory(stage) {
  const { service } = stage;
  chapter("People: a project and all people who are to be in it");
  await stage.useExample("team");
  expectShown(await stage.up(), [`"${ada}"`, "5 created"]);
  const payments = service.state.projects.find(({ name }) => name === "payments");
  const projectId = payments?.id ?? "";
  /** @param {{ groupId?: string, username: string }} invitation */
  const isHers = ({ groupId, username }) => groupId === projectId && username === ada;
  const invitation = service.state.invitations.find(isHers);
  expectInService("Ada is invited as owner", invitation?.roles, ["GROUP_OWNER"]);
  if (!invitation) return;

  chapter("Ada accepts: she is the same member, and no invitation is sent again");
  service.acceptInvitation(invitation.id);
  expectShown(await stage.up(), ["5 unchanged"]);
  expectInService("Ada is in, as owner", rolesOf(service, projectId), ["GROUP_OWNER"]);
  expectInService("no invitation of Ada is left", service.state.invitations.filter(isHers), []);

  chapter("A role is removed outside Pulumi; a plain preview shows it, and up restores it");
  service.setMember(projectId, { username: ada }, ["GROUP_READ_ONLY"]);
  const drift = await stage.pulumi(["preview", "--diff"]);
  expectShown(drift, ['"GROUP_READ_ONLY" => "GROUP_OWNER"', "1 to update", "4 unchanged"]);
  expectShown(await stage.up(), ["1 updated"]);
  expectInService("Ada is owner again", rolesOf(service, projectId), ["GROUP_OWNER"]);

  await stage.pulumi(["destroy", "--yes", "--skip-preview"]);
  expectInService("the project no longer exists, nor do its members", service.project(projectId), undefined);
  expectInService("Ada's account is still there", service.user({ username: ada })?.username, ada);
}

/** @param {Sandbox} service @param {string} projectId */
function rolesOf(service, projectId) {
  const roles = service.user({ username: ada })?.roles ?? [];
  return roles.filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
}

/**
 * The dynamic provider, on `examples/quickstart-dynamic`.
 *
 * @param {Stage} stage
 * @param {{ id: string }} legacy the project that was created outside Pulumi
 */
export async function playDynamicStory(stage, legacy) {
  const { service } = stage;
  chapter("The same through the dynamic provider: nothing to install but the npm package");
  await stage.useExample("quickstart-dynamic", { config: { legacyProjectId: legacy.id } });

  expectShown(await stage.up(), ["3 created"]);
  const billing = service.state.projects.find(({ name }) => name === "billing");
  expectInService("billing exists, with its tags", billing?.tags, ["PROD", "TEAM_BILLING"]);
  if (!billing) return;

  chapter("A tag is added outside Pulumi; the next up removes it");
  service.changeProject(billing.id, { tags: ["PROD", "TEAM_BILLING", "BY_HAND"] });
  expectShown(await stage.up(), ["1 updated"]);
  expectInService("billing is as declared again", service.project(billing.id)?.tags, [
    "PROD",
    "TEAM_BILLING",
  ]);

  await stage.pulumi(["destroy", "--yes", "--skip-preview"]);
  expectInService("billing no longer exists", service.project(billing.id), undefined);
  expectInService("legacy is still there", service.project(legacy.id)?.name, "legacy");
}

/** @param {string} title */
function chapter(title) {
  console.log(`\n--- ${title}`);
}

/**
 * @param {string} what a sentence about the service that has to be true
 * @param {unknown} found
 * @param {unknown} expected
 */
function expectInService(what, found, expected) {
  if (!isDeepStrictEqual(found, expected)) {
    throw new Failure(
      `The service should show: ${what}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`,
    );
  }
  console.log(`  in the service: ${what}`);
}

/**
 * @param {string} output what a command printed
 * @param {readonly string[]} lines parts that must be in it, in this order
 */
function expectShown(output, lines) {
  let from = 0;
  for (const line of lines) {
    const at = output.indexOf(line, from);
    if (at < 0)
      throw new Failure(
        `The command should have shown ${JSON.stringify(line)}${from ? " at that place" : ""}.`,
      );
    from = at + line.length;
  }
}
