// Written by `npm run generate`.
/**
 * The dynamic provider: resources and lookups for programs in TypeScript and JavaScript. You
 * install nothing but this package.
 *
 * Arguments, types and defaults are those of the plugin's SDK (`pulumi-opsmanager`). Settings come
 * from the stack's `opsmanager:` config and the environment. All resources and lookups of a stack
 * use that one service.
 *
 * @packageDocumentation
 */
// What compilers and editors read in place of index.ts: package.json names this file under `types`.
// An editor shows the documentation of a class only where its declaration is exported itself, and a
// constant of the class's type has none. Nothing loads this file in a run.
export * from "../../sdk/nodejs/agentApiKey";
export * from "../../sdk/nodejs/apiKey";
export * from "../../sdk/nodejs/getAgentApiKeys";
export * from "../../sdk/nodejs/getApiKeys";
export * from "../../sdk/nodejs/getOrganization";
export * from "../../sdk/nodejs/getOrganizationMembers";
export * from "../../sdk/nodejs/getProject";
export * from "../../sdk/nodejs/getProjectApiKeys";
export * from "../../sdk/nodejs/getProjectInvitation";
export * from "../../sdk/nodejs/getProjectInvitations";
export * from "../../sdk/nodejs/getProjectMembers";
export * from "../../sdk/nodejs/getProjects";
export * from "../../sdk/nodejs/getProjectTeams";
export * from "../../sdk/nodejs/getTeams";
export * from "../../sdk/nodejs/organization";
export * from "../../sdk/nodejs/organizationMember";
export * from "../../sdk/nodejs/project";
export * from "../../sdk/nodejs/projectApiKey";
export * from "../../sdk/nodejs/projectMember";
export * from "../../sdk/nodejs/projectMembers";
export * from "../../sdk/nodejs/projectTeam";
export * from "../../sdk/nodejs/team";
export type * as types from "../../sdk/nodejs/types";
export * from "../../sdk/nodejs/types/enums";
