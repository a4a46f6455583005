import * as pulumi from "@pulumi/pulumi";
import { ProjectFolder, type ProjectSelection } from "pulumi-opsmanager/projects";

// Each stack declares its part of the files and checks all of them. Pulumi.<stack>.yaml names the part: an organization
// here, or { folder } or { shard: { index, count } }.
const select = new pulumi.Config().requireObject<ProjectSelection>("select");
const folder = new ProjectFolder("projects", { folder: "projects", provider: "plugin", select });

// Id and name of each project of this stack, by key.
export const projects = folder.projects;
