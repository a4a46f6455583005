/**
 * The Pulumi program of the dynamic provider: makes the resources that `program.json` declares, with the classes of
 * `pulumi-opsmanager/dynamic`. It reads references (`${payments.projectId}`) as Pulumi YAML does.
 *
 * @import { Program, ResourceDeclaration } from "../../program"
 */
const pulumi = require("@pulumi/pulumi");

/** @type {Program} */
const program = require("./program.json");
const { resources = {}, lookups = {}, outputs = {} } = program;

/** Made when first referred to, so that the order of the declarations does not matter. */
const made = new Map();
const inProgress = new Set();

function named(name) {
  if (made.has(name)) return made.get(name);
  if (inProgress.has(name)) throw new Error(`${name} refers to itself`);
  inProgress.add(name);
  made.set(name, make(name));
  return made.get(name);
}

function make(name) {
  if (name === "pulumi")
    return { stack: pulumi.getStack(), project: pulumi.getProject(), cwd: process.cwd() };
  if (name in resources) return makeResource(name, resources[name]);
  if (name in lookups) return makeLookup(lookups[name]);
  return new pulumi.Config().require(name);
}

/** @param {string} key @param {ResourceDeclaration} declaration */
function makeResource(key, declaration) {
  const Resource = exported(declaration.type);
  const name = declaration.name ?? key;
  const options = resolve(declaration.options ?? {});
  if (declaration.get) return Resource.get(name, resolve(declaration.get.id), options);
  return new Resource(name, resolve(declaration.properties ?? {}), options);
}

function makeLookup(lookup) {
  const lookUp = exported(`${lookup.function}Output`);
  return lookUp(resolve(lookup.arguments ?? {}), resolve(lookup.options ?? {}));
}

function exported(name) {
  const value = require("pulumi-opsmanager/dynamic")[name];
  if (value === undefined) throw new Error(`pulumi-opsmanager/dynamic has no ${name}`);
  return value;
}

function resolve(value) {
  if (typeof value === "string") return resolveText(value);
  if (Array.isArray(value)) return value.map(resolve);
  if (value === null || typeof value !== "object") return value;
  if ("fn::secret" in value) return pulumi.secret(resolve(value["fn::secret"]));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]));
}

const reference = /\$\{([^}]+)\}/g;

function resolveText(text) {
  const parts = text.split(reference); // text, path, text, path, ..., text
  if (parts.length === 1) return text;
  if (parts.length === 3 && parts[0] === "" && parts[2] === "") return follow(parts[1]);
  return pulumi.concat(...parts.map((part, index) => (index % 2 === 0 ? part : follow(part))));
}

/** Follows a path such as `payments.ldapGroupMappings[0].roleName` or `payments.members["a@example.com"]`. */
function follow(path) {
  const [name, ...keys] = path.match(/[^.[\]"]+|"[^"]*"/g).map((key) => key.replaceAll('"', ""));
  const [first, ...rest] = keys;
  const start = named(name);
  if (first === undefined) return start;
  const property = pulumi.Output.isInstance(start) ? start.apply((value) => value[first]) : start[first];
  return rest.length === 0
    ? property
    : pulumi.output(property).apply((value) => rest.reduce((inner, key) => inner?.[key], value));
}

for (const name of Object.keys({ ...resources, ...lookups })) named(name);
module.exports = resolve(outputs);
