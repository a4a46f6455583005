// Written by `npm run generate`.
/**
 * The dynamic provider, as a program loads it. What compilers and editors see of it is types.ts;
 * tests compare the two.
 */
import { dynamicClass } from "./dynamic-resource";
import { lookup, lookupOutput } from "./lookups";

export * from "../../sdk/nodejs/types/enums";

export const Project = dynamicClass("Project");
export const ProjectMember = dynamicClass("ProjectMember");
export const ProjectMembers = dynamicClass("ProjectMembers");
export const ProjectTeam = dynamicClass("ProjectTeam");
export const Team = dynamicClass("Team");
export const AgentApiKey = dynamicClass("AgentApiKey");
export const ApiKey = dynamicClass("ApiKey");
export const ProjectApiKey = dynamicClass("ProjectApiKey");
export const OrganizationMember = dynamicClass("OrganizationMember");
export const Organization = dynamicClass("Organization");

export const getProject = lookup("getProject");
export const getProjectOutput = lookupOutput("getProject");
export const getProjects = lookup("getProjects");
export const getProjectsOutput = lookupOutput("getProjects");
export const getProjectMembers = lookup("getProjectMembers");
export const getProjectMembersOutput = lookupOutput("getProjectMembers");
export const getProjectInvitation = lookup("getProjectInvitation");
export const getProjectInvitationOutput = lookupOutput("getProjectInvitation");
export const getProjectInvitations = lookup("getProjectInvitations");
export const getProjectInvitationsOutput = lookupOutput("getProjectInvitations");
export const getProjectTeams = lookup("getProjectTeams");
export const getProjectTeamsOutput = lookupOutput("getProjectTeams");
export const getTeams = lookup("getTeams");
export const getTeamsOutput = lookupOutput("getTeams");
export const getAgentApiKeys = lookup("getAgentApiKeys");
export const getAgentApiKeysOutput = lookupOutput("getAgentApiKeys");
export const getApiKeys = lookup("getApiKeys");
export const getApiKeysOutput = lookupOutput("getApiKeys");
export const getProjectApiKeys = lookup("getProjectApiKeys");
export const getProjectApiKeysOutput = lookupOutput("getProjectApiKeys");
export const getOrganization = lookup("getOrganization");
export const getOrganizationOutput = lookupOutput("getOrganization");
export const getOrganizationMembers = lookup("getOrganizationMembers");
export const getOrganizationMembersOutput = lookupOutput("getOrganizationMembers");
