/**
 * A Pulumi program written as data, so that one test can play it with both providers:
 * `yaml-program.ts` renders it for the plugin, `node-program.ts` for the dynamic provider.
 *
 * Values may refer to resources, lookups and config in Pulumi YAML's own syntax: `${payments.projectId}`,
 * `${invitation.roles[0]}`, `${pulumi.stack}`. A reference to something that is only made in the same run is how a test gets
 * a value that is unknown in previews.
 */
export interface Program {
  readonly resources?: Readonly<Record<string, ResourceDeclaration>>;
  readonly lookups?: Readonly<Record<string, LookupDeclaration>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Provider plugin: the folder of the plugin, this repository's by default; `null` leaves the search to the engine. */
  readonly pluginFolder?: string | null;
}

export interface ResourceDeclaration {
  /** `Project` is `opsmanager:index:Project`, `Provider` an explicit provider; anything with a `:` is taken as it is. */
  readonly type: string;
  /** The resource's name in its URN, where it is not its key in `resources`. */
  readonly name?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Reads an object that is managed elsewhere instead of making one. */
  readonly get?: { readonly id: string; readonly state?: Readonly<Record<string, unknown>> };
  readonly options?: ResourceOptions;
}

/** The resource options of Pulumi; resources are written as references: `parent: "${payments}"`. */
export interface ResourceOptions {
  readonly aliases?: readonly (string | Readonly<Record<string, unknown>>)[];
  readonly customTimeouts?: { readonly create?: string; readonly update?: string; readonly delete?: string };
  readonly deleteBeforeReplace?: boolean;
  readonly deletedWith?: string;
  readonly dependsOn?: readonly string[];
  readonly ignoreChanges?: readonly string[];
  readonly import?: string;
  readonly parent?: string;
  readonly protect?: boolean;
  readonly provider?: string;
  readonly replaceOnChanges?: readonly string[];
  readonly retainOnDelete?: boolean;
  readonly version?: string;
}

export interface LookupDeclaration {
  /** `getProject` is `opsmanager:index:getProject`; anything with a `:` is taken as it is. */
  readonly function: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly options?: Pick<ResourceOptions, "parent" | "provider" | "version" | "dependsOn">;
}

/** A program that is in a folder of its own, such as those in `examples/`. A copy of it is run, with its packages. */
export interface ProgramFolder {
  readonly folder: string;
  /** The program itself is run where it is, because a package manager has installed packages in and around its folder. */
  readonly inPlace?: true;
  /** A folder into which npm has installed the program's packages. Without it they are linked to this repository. */
  readonly installation?: string;
  /** `resident` attaches the resident hosts, which have the packages of this repository. Otherwise the engine starts hosts. */
  readonly hosts?: "resident";
}

/** How a program reaches the provider: as a plugin of the engine, or as a dynamic provider inside the program. */
export type ProviderKind = "plugin" | "dynamic";

export const packageName = "opsmanager";

export function isProgramFolder(program: Program | ProgramFolder): program is ProgramFolder {
  return "folder" in program;
}

export function resourceToken(type: string): string {
  if (type.includes(":")) return type;
  return type === "Provider" ? `pulumi:providers:${packageName}` : `${packageName}:index:${type}`;
}

export function functionToken(name: string): string {
  return name.includes(":") ? name : `${packageName}:index:${name}`;
}
