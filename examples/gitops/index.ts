import * as opsmanager from "pulumi-opsmanager";
import { ProjectFolder } from "pulumi-opsmanager/projects";

// One project for each file below projects/, with the people in it. A deleted file releases its project; a folder
// without any file is an error, so that a checkout that failed lets nobody go.
const estate = new ProjectFolder("estate", { folder: "projects", door: opsmanager });

// Id and name of each project, by its key.
export const projects = estate.projects;
