import { ProjectFolder } from "pulumi-opsmanager/projects";

// One project with its people for each file in projects/. If a file is deleted, its project is released. A folder without
// files is an error, so that a failed checkout releases no project.
const folder = new ProjectFolder("projects", { folder: "projects", provider: "plugin" });

// Id and name of each project, by key.
export const projects = folder.projects;
