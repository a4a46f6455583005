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
const contract = "^provider/resources/contract/";
const session = "^provider/resources/session/";
const evidence = "^provider/resources/evidence/";
const reads = "^provider/resources/reads/";
const people = "^provider/resources/people/";
/** What the people of a project and of a team as lists have in common. */
const lists = "^provider/resources/lists/";
const kinds =
  "^provider/resources/(?!contract/|session/|evidence/|reads/|people/|grants/|members/|lists/|keys/)([^/]+)/";
/** What the roles of a team and of an API key in a project have in common. */
const grants = "^provider/resources/grants/(?!project-)";
const grantKinds = "^provider/resources/grants/(project-[^/]+)\\.ts$";
/** What a member of a project and one of an organization have in common. */
const members = "^provider/resources/members/(?!project-|organization-)";
/** The files of one kind. */
const memberKinds = "^provider/resources/members/(project|organization)-";
/** What keys that are shown once have in common. */
const keys = "^provider/resources/keys/(?!agent-|api-key)";
/** The files of one kind. */
const keyKinds = "^provider/resources/keys/(agent-|api-key)";
const functions = "^provider/functions/";
const schema = "^provider/package-schema\\.ts$";
const plugin = "^provider/plugin/";
const dynamic = "^provider/dynamic/";
const dynamicClasses = "^provider/dynamic/index\\.ts$";
const cli = "^cli/";
const projects = "^projects/";
const sandbox = "^sandbox/";
const projectProgram = "^projects/(construct|declare|program|index)\\.ts$";
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
    forbid(
      "contract-knows-no-other-room",
      "What a resource is does not depend on what resources share, prove or are.",
      { path: contract },
      { path: resources, pathNot: contract },
    ),
    forbid(
      "session-knows-only-the-contract",
      "What an operation shares is the same for every kind.",
      { path: session },
      { path: resources, pathNot: [contract, session] },
    ),
    forbid(
      "evidence-knows-no-list",
      "What a response proves does not depend on what was read, or on who is meant.",
      { path: evidence },
      { path: resources, pathNot: [contract, session, evidence] },
    ),
    forbid(
      "reads-know-no-people",
      "A list of a place is the same for everyone who asks.",
      { path: reads },
      { path: resources, pathNot: [contract, session, evidence, reads] },
    ),
    forbid(
      "people-know-no-kind",
      "Who is meant is one answer for every kind.",
      { path: people },
      { path: resources, pathNot: [contract, session, evidence, reads, people] },
    ),
    forbid(
      "lists-know-no-kind",
      "The engine asks its port, so that another list of people changes nothing in it.",
      { path: lists },
      { path: resources, pathNot: [contract, session, evidence, people, lists] },
    ),
    forbid(
      "grants-know-no-kind",
      "The engine asks its port, so that a new holder of roles changes nothing in it.",
      { path: grants },
      { path: resources, pathNot: [contract, session, evidence, reads, people, grants] },
    ),
    forbid(
      "no-kind-imports-another",
      "What two kinds share belongs to a room below them.",
      { path: kinds },
      {
        path: [kinds, grants, grantKinds, members, memberKinds, keyKinds],
        pathNot: "^provider/resources/$1/",
      },
    ),
    forbid(
      "no-kind-of-grant-imports-another",
      "What two kinds share belongs to a room below them.",
      { path: grantKinds },
      { path: [kinds, grantKinds], pathNot: "^provider/resources/grants/$1\\.ts$" },
    ),

    forbid(
      "keys-know-no-kind",
      "The engine asks its port, so that another kind of keys changes nothing in it.",
      { path: keys },
      { path: resources, pathNot: [contract, session, evidence, keys] },
    ),
    forbid(
      "no-kind-of-keys-imports-another",
      "What two kinds of keys share is the engine.",
      { path: keyKinds },
      {
        path: [kinds, grants, grantKinds, members, memberKinds, lists, keyKinds],
        pathNot: "^provider/resources/keys/$1",
      },
    ),
    forbid(
      "members-ask-their-port",
      "The engine serves each kind by its answers, so another kind of members changes no line of it.",
      { path: members },
      { path: [kinds, grants, grantKinds, lists, memberKinds] },
    ),
    forbid(
      "no-kind-of-members-imports-another",
      "What two kinds of members share is the engine.",
      { path: memberKinds },
      { path: [kinds, grants, grantKinds, memberKinds], pathNot: "^provider/resources/members/$1-" },
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
