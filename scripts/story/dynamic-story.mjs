/** The shorter story through the dynamic provider: the same projects, no plugin. */
import { chapter, expectInService, expectShown } from "./expect.mjs";
import { configure, forService } from "./settings.mjs";

/**
 * @param {import("./stage.mjs").Stage} stage
 * @param {{ id: string }} legacy the project that was created outside Pulumi
 */
export async function playDynamicStory(stage, legacy) {
  const { service } = stage;
  chapter("The same through the dynamic provider: nothing to install but the npm package");
  await stage.useExample("quickstart-dynamic");
  await stage.pulumi(["stack", "init", "demo"]);
  await configure(stage, { ...forService(service), orgId: service.orgId, legacyProjectId: legacy.id });

  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["3 created"]);
  const billing = service.state.projects.find(({ name }) => name === "billing");
  expectInService("billing exists, with its tags", billing?.tags, ["PROD", "TEAM_BILLING"]);
  if (!billing) return;

  chapter("A tag is added outside Pulumi; the next up removes it");
  service.changeProject(billing.id, { tags: ["PROD", "TEAM_BILLING", "BY_HAND"] });
  expectShown(await stage.pulumi(["up", "--yes", "--skip-preview"]), ["1 updated"]);
  expectInService("billing is as declared again", service.project(billing.id)?.tags, [
    "PROD",
    "TEAM_BILLING",
  ]);

  await stage.pulumi(["destroy", "--yes", "--skip-preview"]);
  expectInService("billing no longer exists", service.project(billing.id), undefined);
  expectInService("legacy is still there", service.project(legacy.id)?.name, "legacy");
}
