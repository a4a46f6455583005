/** What `drift` finds beside the resources: undeclared and unmanaged objects, read from a sandbox. */
import { declarersToRead, findUndeclared, findUnmanaged } from "../../../cli/drift/find";
import { type Finding, type Undetermined, unmanagedOf } from "../../../cli/drift/report/model";
import type { CompleteOrganization } from "../../../cli/drift/undeclared";
import { Declarations, type OwnedResource } from "../../../cli/lib/access/declared";
import { pluginType } from "../../../cli/lib/own-resources";
import type { ResourceKind } from "../../../provider/resources/kinds";
import type { SandboxConnection } from "../client/with-client";

export const owner = ["GROUP_OWNER"];
export const reader = ["GROUP_READ_ONLY"];

type Facts = Partial<Omit<OwnedResource, "id">>;

/** A resource of the plugin in stack `test`, whose last read has succeeded. */
export function declared(
  kind: ResourceKind,
  id: string,
  facts: Facts & { readonly name?: string } = {},
): OwnedResource & { readonly urn: string; readonly stack: string } {
  const { name = id, ...others } = facts;
  const type = pluginType(kind);
  const urn = `urn:pulumi:test::platform::${type}::${name}`;
  return { urn, stack: "test", type, id, inputs: {}, outputs: {}, isRead: true, ...others };
}

export const dynamicType = (kind: ResourceKind) => `pulumi-nodejs:dynamic/opsmanager:${kind}`;

interface SearchOptions {
  /** What only the program declares. */
  readonly planned?: readonly OwnedResource[];
  readonly orgIds?: readonly string[];
  /** Organizations whose owners a file lists completely. */
  readonly complete?: readonly CompleteOrganization[];
  /** The credentials of other stacks: public keys and client IDs. */
  readonly otherKeys?: readonly string[];
  readonly signal?: AbortSignal;
}

function requestFor(
  { client }: Pick<SandboxConnection, "client">,
  resources: readonly OwnedResource[],
  { planned = [], otherKeys = [], complete = [], signal = new AbortController().signal }: SearchOptions,
) {
  const owners = new Declarations(resources);
  return {
    declared: { owners, planned: new Declarations(planned), comparison: "program" },
    client,
    ownKeys: new Set([client.publicKey ?? "", ...otherKeys]),
    complete,
    signal,
  } as const;
}

/** The search of every run: what is undeclared in the projects of the resources. */
export function findAlone(
  connection: Pick<SandboxConnection, "client">,
  resources: readonly OwnedResource[],
  options: SearchOptions = {},
) {
  const request = requestFor(connection, resources, options);
  return findUndeclared(request, declarersToRead(request.declared.owners, "test"));
}

/** The search of `--unmanaged`, with its rows as the report has them. */
export async function findAll(
  connection: Pick<SandboxConnection, "client">,
  resources: readonly OwnedResource[],
  options: SearchOptions = {},
) {
  const request = requestFor(connection, resources, options);
  const terminal = { stderr: () => {}, isWatched: false };
  const found = await findUnmanaged({ ...request, orgIds: options.orgIds ?? [], terminal });
  return { ...found, unmanaged: unmanagedOf(found) };
}

/** Both searches, which find the same differences. */
export async function findBoth(
  connection: Pick<SandboxConnection, "client">,
  resources: readonly OwnedResource[],
  options: SearchOptions = {},
) {
  const alone = await findAlone(connection, resources, options);
  return { alone, all: await findAll(connection, resources, options) };
}

/** The names of who and what is undeclared. */
export function namesIn({ findings }: { readonly findings: readonly Finding[] }): (string | undefined)[] {
  return findings.map(({ object }) => object?.name);
}

/** `people of team owners: Listing ... failed` */
export function reasonsIn({ undetermined }: { readonly undetermined: readonly Undetermined[] }): string[] {
  return undetermined.map(({ what, reason }) => `${what}: ${reason}`).sort();
}

type Service = Pick<SandboxConnection["sandbox"], "baseUrl" | "publicKey" | "privateKey">;
interface Account {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A script for `pulumi` that prints the settings of this stack alone, or else of each one. */
export function printsSettings(
  { baseUrl, publicKey, privateKey }: Service,
  stack?: string,
  account?: Account,
): string {
  const { clientId, clientSecret } = account ?? {};
  const settings = Object.entries(
    account
      ? { baseUrl, tokenUrl: `${baseUrl}/api/oauth/token`, clientId, clientSecret }
      : { baseUrl, publicKey, privateKey },
  );
  const config = Object.fromEntries(settings.map(([name, value]) => [`opsmanager:${name}`, { value }]));
  return `#!${process.execPath}
if (${stack !== undefined} && !process.argv.includes("${stack}")) process.exit(255);
console.log(${JSON.stringify(JSON.stringify(config))});
`;
}
