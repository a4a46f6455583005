import { AccessFolder } from "pulumi-opsmanager/projects";

// All that the files in projects/, teams/ and organizations/ declare. If a file is deleted, what it declared is released. A
// folder without files is an error, so that a failed checkout releases nothing.
const access = new AccessFolder("access", { folder: ".", provider: "plugin" });

// Id and name of each project and team by key, and the API keys of the organization, which are secret.
export const { projects, teams, apiKeys } = access;
