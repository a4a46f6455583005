/** Compiler errors of programs that use a folder of files. It is checked with all other types and never run. */
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";
import { AccessFolder, type ProviderKind } from "pulumi-opsmanager/projects";

declare const provider: opsmanager.Provider;

/** The component accepts the names of both providers, and component options. */
export function folders() {
  const folder = new AccessFolder("access", { folder: "access", provider: "plugin" }, { provider });
  new AccessFolder("access", { folder: ".", provider: "dynamic" }, { protect: true });
  // @ts-expect-error a module is rejected
  new AccessFolder("access", { folder: "access", provider: opsmanager });
  const shard = { index: 0, count: 2 };
  new AccessFolder("access", { folder: "access", provider: "plugin", select: { shard } });
  // @ts-expect-error two selections at once are rejected
  new AccessFolder("access", { folder: "a", provider: "plugin", select: { orgId: "b", shard } });
  const facts: pulumi.Output<Record<string, { projectId: string; name: string }>> = folder.projects;
  const kind: ProviderKind = "dynamic";
  return { facts, kind };
}

/** What a program takes of a folder: the private key of an API key is an output of text. */
export function access(): pulumi.Output<string | undefined> {
  const folder = new AccessFolder("access", { folder: ".", provider: "dynamic" }, { provider });
  const teams: pulumi.Output<Record<string, { teamId: string; name: string }>> = folder.teams;
  new opsmanager.AccessFolder("access", { folder: "access", select: { orgId: "5f" } });
  return pulumi.all([teams, folder.apiKeys]).apply(([, keys]) => keys["acme/ci"]?.privateKey);
}
