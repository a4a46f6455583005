/**
 * The dynamic door: Project for programs in TypeScript and JavaScript, with nothing to install but this package.
 *
 * The engine keeps the text of the provider object in state, so the object holds functions that only call into the
 * installed package: small, the same for every resource of a kind and for every release, free of captured values.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ProjectArgs, types } from "../../sdk/nodejs";
import { DECLARED, IGNORE_CHANGES } from "./properties";

export type { ProjectArgs };

const projectProvider: pulumi.dynamic.ResourceProvider = {
  configure: async (request) => require("pulumi-opsmanager/dynamic/adapter").configure(request),
  check: async (olds, news) => require("pulumi-opsmanager/dynamic/adapter").check("Project", olds, news),
  diff: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").diff("Project", id, olds, news),
  create: async (inputs) => require("pulumi-opsmanager/dynamic/adapter").create("Project", inputs),
  read: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").read("Project", id, props),
  update: async (id, olds, news) =>
    require("pulumi-opsmanager/dynamic/adapter").update("Project", id, olds, news),
  delete: async (id, props) => require("pulumi-opsmanager/dynamic/adapter").delete("Project", id, props),
};

/** Outputs that the engine adds; named here so that the SDK makes properties of them. */
const PROJECT_OUTPUTS = [
  "orgId",
  "name",
  "tags",
  "ldapGroupMappings",
  "ignoreTags",
  "origin",
  "onDestroy",
  "tagsVisible",
];

export class Project extends pulumi.dynamic.Resource {
  /** Id of the project, 24 hexadecimal digits; known in previews as soon as the project exists. */
  readonly projectId: pulumi.Output<string>;
  /** Id of the organization in which the project lives now. */
  declare readonly orgId: pulumi.Output<string>;
  /** Name of the project in the service. */
  declare readonly name: pulumi.Output<string>;
  /** Tags of the project, sorted; absent where the API key may not see them. */
  declare readonly tags: pulumi.Output<string[] | undefined>;
  /** LDAP groups by project role; absent where the service is not LDAP-backed. */
  declare readonly ldapGroupMappings: pulumi.Output<types.output.LdapGroupMapping[] | undefined>;
  /** How the project came into this stack: `created`, `adopted` or `imported`. */
  declare readonly origin: pulumi.Output<string>;
  /** What destroying will do: `delete` or `release`. */
  declare readonly onDestroy: pulumi.Output<string>;
  /** False when the API key may not see tags. */
  declare readonly tagsVisible: pulumi.Output<boolean>;

  constructor(name: string, args: ProjectArgs, opts: pulumi.CustomResourceOptions = {}) {
    const unset = Object.fromEntries(PROJECT_OUTPUTS.map((output) => [output, undefined]));
    const props = { ...unset, ...args, [IGNORE_CHANGES]: opts.ignoreChanges ?? [], [DECLARED]: undefined };
    // The checked inputs come back as one output, and any of them may be a secret.
    const secret = pulumi.mergeOptions(opts, { additionalSecretOutputs: [DECLARED] });
    super(projectProvider, name, props, secret, "opsmanager", "Project");
    this.projectId = this.id;
  }
}
