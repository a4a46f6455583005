/**
 * The layering rule of DESIGN.md, "Layers": imports point right only.
 *
 *   plugin, dynamic, cli -> functions -> resources -> api/<group> -> api/client -> transport -> (undici)
 *   within resources: index -> a kind -> its engine (in grants, members, lists, keys) -> people -> reads -> evidence -> session -> contract
 *   projects -> resources; only Pulumi programs, and the plugin for Construct, load construct, program, declare and index, which load the dynamic provider
 *   cli, projects -> provider, never the other way; cli: a command -> lib, and no command -> another
 *   sandbox imports nothing of ours; tests, scripts and `opsmanager sandbox` import it
 *   access, attempt, version, text and settings are leaves: every module may import them, they import only each other
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */
const leaves = "^provider/((attempt|version)\\.ts$|(access|settings|text)/)";
const transport = "^provider/transport/";
const client = "^provider/api/(client|hints|names|pages|proof|response)\\.ts$";
const api = "^provider/api/";
const resources = "^provider/resources/";
const sharedBelow = "What two kinds share belongs to a room below them.";

/** The rooms below every kind, in their order. */
const below = ["contract", "session", "evidence", "reads", "people"];

/**
 * The rooms of the resources. A room imports itself and exactly those that it names. `own`: what one kind may import of a room that
 * several kinds share, if that is not all of it.
 */
const rooms = {
  contract: { because: "What a resource is does not depend on what resources share, prove or are." },
  session: { imports: ["contract"], because: "What an operation shares is the same for every kind." },
  evidence: {
    imports: ["contract", "session"],
    because: "What a response proves does not depend on what was read, or on who is meant.",
  },
  reads: {
    imports: ["contract", "session", "evidence"],
    because: "A list of a place is the same for everyone who asks.",
  },
  managed: {
    imports: ["contract", "session", "evidence"],
    because: "How a value is compared and sent is the same for every object that has it.",
  },
  people: { imports: below, because: "Who is meant and who is protected is one answer for every kind." },
  lists: {
    imports: ["contract", "session", "evidence", "people"],
    because: "The engine asks its port, so that another list of people changes nothing in it.",
  },
  grants: {
    path: "grants/(?!project-)",
    imports: below,
    because: "The engine asks its port, so that a new holder of roles changes nothing in it.",
  },
  members: {
    path: "members/(?!project-|organization-)",
    imports: below,
    because: "The engine asks its port, so that another kind of members changes nothing in it.",
  },
  keys: {
    path: "keys/(?!agent-|api-key)",
    imports: ["contract", "session", "evidence"],
    because: "The engine asks its port, so that another kind of keys changes nothing in it.",
  },
  "kinds of grants": {
    path: "grants/(project-[^/]+)\\.ts$",
    own: "grants/$1\\.ts$",
    imports: [...below, "grants"],
    because: sharedBelow,
  },
  "kinds of members": {
    path: "members/(project|organization)-",
    own: "members/$1-",
    imports: [...below, "members"],
    because: sharedBelow,
  },
  "kinds of keys": {
    path: "keys/(agent-|api-key)",
    own: "keys/$1",
    imports: [...below, "keys"],
    because: sharedBelow,
  },
  "other kinds": {
    path: "(?!(?:contract|session|evidence|reads|managed|people|lists|grants|members|keys)/)([^/]+)/",
    own: "$1/",
    imports: [...below, "lists", "managed"],
    because: sharedBelow,
  },
};
const functions = "^provider/functions/";
const schema = "^provider/package-schema\\.ts$";
const plugin = "^provider/plugin/";
const dynamic = "^provider/dynamic/";
const dynamicClasses = "^provider/dynamic/index\\.ts$";
const cli = "^cli/";
const projects = "^projects/";
const sandbox = "^sandbox/";
const projectProgram = "^projects/(construct|declare|late|program|index)\\.ts$";
/** Where the plugin starts. It gives the plugin the component that it serves. */
const start = "^provider/index\\.ts$";
const shipped = "^(cli|projects|provider)/";
const entryPoints = [plugin, dynamic, cli];

module.exports = {
  forbidden: [
    forbid("no-cycles", "A cycle has no right and left.", {}, { circular: true }),

    forbid(
      "leaves-import-only-leaves",
      "Every module imports them, so they import only each other.",
      { path: leaves },
      { path: "^(cli|projects|provider|sandbox|test|sdk)/", pathNot: leaves },
    ),
    forbid(
      "transport-knows-no-api",
      "The wire carries requests; it does not know what they mean.",
      { path: transport },
      { path: [api, resources, functions, schema, ...entryPoints] },
    ),
    forbid(
      "client-knows-no-group",
      "A new group of the API needs no change in the client.",
      { path: client },
      { path: api, pathNot: client },
    ),
    forbid(
      "api-knows-no-resources",
      "The API's calls are the same for every caller.",
      { path: api },
      { path: [resources, functions, schema, ...entryPoints] },
    ),
    forbid(
      "resources-know-no-entry-point",
      "Both providers run the same resources and functions.",
      { path: [resources, functions] },
      { path: [schema, ...entryPoints] },
    ),
    forbid(
      "resources-go-through-the-api",
      "Resources and functions call the API's groups, not the wire.",
      { path: [resources, functions] },
      { path: transport },
    ),
    ...Object.entries(rooms).map(([name, room]) =>
      forbid(
        `resources/${name}`,
        room.because,
        { path: pathOf(name) },
        { path: resources, pathNot: allowed(name) },
      ),
    ),

    forbid(
      "resources-know-no-functions",
      "Lookups may share what resources know; not the other way round.",
      { path: resources },
      { path: functions },
    ),
    forbid(
      "schema-knows-no-entry-point",
      "The schema is made of resources, functions and settings.",
      { path: schema },
      { path: entryPoints },
    ),
    ...entryPoints.map((entryPoint) =>
      forbid(
        `entry-points-know-each-other-not/${entryPoint.slice(1, -1)}`,
        "Code that several of them use belongs to a layer below.",
        { path: entryPoint },
        { path: entryPoints.filter((other) => other !== entryPoint) },
      ),
    ),

    forbid(
      "projects-know-no-entry-point",
      "Only the component loads the provider that declares the files.",
      { path: projects },
      { path: [transport, api, functions, schema, ...entryPoints], pathNot: dynamicClasses },
    ),
    forbid(
      "only-the-component-loads-the-dynamic-provider",
      "Commands read project files and declare nothing.",
      { path: projects, pathNot: projectProgram },
      { path: dynamicClasses },
    ),
    forbid(
      "the-provider-knows-no-command-and-no-project-files",
      "It receives resources and does not know what declares or reports them.",
      { path: "^provider/", pathNot: start },
      { path: [cli, projects] },
    ),
    forbid(
      "commands-do-not-declare",
      "They read project files; the SDK that declares them is for programs.",
      { path: [cli, projects], pathNot: projectProgram },
      { path: projectProgram },
    ),

    forbid(
      "no-command-imports-another",
      "What two commands share belongs to cli/lib.",
      { path: "^cli/(access|adopt|doctor|drift|import|offboard|summarize|verify)/" },
      { path: "^cli/", pathNot: ["^cli/lib/", "^cli/$1/"] },
    ),
    forbid(
      "the-library-knows-no-command",
      "It is below all commands.",
      { path: "^cli/lib/" },
      { path: "^cli/", pathNot: "^cli/lib/" },
    ),
    forbid(
      "undici-only-in-transport",
      "One HTTP client, in one place.",
      { path: shipped, pathNot: transport },
      { path: "node_modules/undici/" },
    ),
    forbid(
      "plugin-does-not-load-the-pulumi-sdk",
      "It costs a third of a second at each start; the plugin needs its protocol only.",
      { path: shipped, pathNot: [dynamic, projectProgram] },
      { path: "node_modules/@pulumi/pulumi/", pathNot: "node_modules/@pulumi/pulumi/proto/" },
    ),

    forbid("what-is-shipped-knows-no-test", "It stands alone.", { path: shipped }, { path: "^test/" }),
    forbid(
      "sandbox-imports-only-itself",
      "The sandbox is written from the API's documents, so that it does not repeat our mistakes.",
      { path: sandbox },
      { path: "^(cli|projects|provider|scripts|test)/" },
    ),
    forbid(
      "only-the-sandbox-command-imports-the-sandbox",
      "The provider talks to a service; the embedded one is for tests, scripts and `opsmanager sandbox`.",
      { path: shipped, pathNot: "^cli/sandbox\\.ts$" },
      { path: sandbox },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|sdk)/" },
    tsPreCompilationDeps: true, // an import of types only is an import too
  },
};

function forbid(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

function pathOf(room) {
  return `^provider/resources/${rooms[room].path ?? `${room}/`}`;
}

/** The room itself, or one kind's part of it, and those that it imports. */
function allowed(room) {
  const { own, imports = [] } = rooms[room];
  return [own === undefined ? pathOf(room) : `^provider/resources/${own}`, ...imports.map(pathOf)];
}
