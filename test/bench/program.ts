import type { Sandbox } from "../../sandbox";
import type { Program } from "../support";

/** Projects with two tags each. */
export function projectsProgram({ orgId }: Sandbox, count: number): Program {
  const names = Array.from({ length: count }, (_, index) => `payments-${index + 1}`);
  const declaration = (name: string) => ({
    type: "Project",
    properties: { orgId, name, tags: ["PROD", "TEAM_PAYMENTS"] },
  });
  return { resources: Object.fromEntries(names.map((name) => [name, declaration(name)])) };
}
