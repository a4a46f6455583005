/** The main job through the provider plugin, on `examples/quickstart`. */
import { chapter, expectInService, expectShown } from "./expect.mjs";
import { configure, forService } from "./settings.mjs";

const owners = { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform,dc=example,dc=com"] };
const developers = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=developers,dc=example,dc=com"] };

/**
 * @param {import("./stage.mjs").Stage} stage
 * @returns the project that was created outside Pulumi, for the next story
 */
export async function playPluginStory(stage) {
  const { service } = stage;
  const legacy = service.addProject({ name: "legacy", tags: ["OLD"] });
  const invitation = service.addInvitation(legacy.id, {
    username: "ada@example.com",
    roles: ["GROUP_READ_ONLY"],
  });

  chapter("A Pulumi program in TypeScript, the service's address and a key");
  await stage.useExample("quickstart");
  await stage.pulumi(["stack", "init", "demo"]);
  await configure(stage, {
    ...forService(service),
    orgId: service.orgId,
    legacyProjectId: legacy.id,
    invitationId: invitation.id,
  });

  chapter("up: one project is created, one that was created outside Pulumi is adopted by its id");
  const up = await stage.pulumi(["up", "--yes", "--skip-preview"]);
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
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["3 unchanged"]);

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
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["1 updated"]);
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

/** @param {import("./stage.mjs").Sandbox} service @param {string | undefined} id */
function view(service, id) {
  const project = service.project(id ?? "");
  return { name: project?.name, tags: project?.tags, ldapGroupMappings: project?.ldapGroupMappings };
}
