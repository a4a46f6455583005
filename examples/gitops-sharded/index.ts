import * as pulumi from "@pulumi/pulumi";
import { AccessFolder, type FileSelection } from "pulumi-opsmanager/projects";

// Each stack declares its part of the files and checks all of them. Pulumi.<stack>.yaml names the part: an organization
// here, or { shard }.
const select = new pulumi.Config().requireObject<FileSelection>("select");
const access = new AccessFolder("access", { folder: ".", provider: "plugin", select });

// Id and name of each project and team of this stack by key, and its API keys, which are secret.
export const { projects, teams, apiKeys } = access;
