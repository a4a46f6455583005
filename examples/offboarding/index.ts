import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as opsmanager from "pulumi-opsmanager";

interface Person {
  readonly username: string;
  /** Roles by the name of the project. */
  readonly projects: Readonly<Record<string, string[]>>;
}

const config = new pulumi.Config();
const people: Person[] = JSON.parse(readFileSync(join(__dirname, "people.json"), "utf8"));
/** Names of the projects whose people this program decides about; the projects themselves are made elsewhere. */
const projects = config.requireObject<string[]>("projects");

// An empty list may be a list that failed to load. The run ends here, before anything is changed.
if (people.length === 0) throw new Error("people.json lists no people, so nothing was changed.");

// A misspelled project name would remove the person from the project that was meant.
for (const { username, projects: theirs } of people) {
  const unknown = Object.keys(theirs).filter((name) => !projects.includes(name));
  if (unknown.length > 0)
    throw new Error(`people.json: ${username} is in unknown projects: ${unknown.join(", ")}.`);
}

const { projects: found } = opsmanager.getProjectsOutput({ orgId: config.require("orgId") });

function idOf(name: string): pulumi.Output<string> {
  return found.apply((all) => {
    const project = all.find((candidate) => candidate.name === name);
    if (!project) throw new Error(`The organization has no project named ${name}.`);
    return project.projectId;
  });
}

// People on the list are added or invited. A person who is taken off the list is removed, and their pending invitations are deleted.
const everybody = projects.map(
  (name) =>
    new opsmanager.ProjectMembers(name, {
      projectId: idOf(name),
      // The provider rejects a project without people too: this map must not be empty.
      members: Object.fromEntries(
        people.flatMap(({ username, projects: theirs }) =>
          name in theirs ? [[username, theirs[name]]] : [],
        ),
      ),
      // Service accounts are managed elsewhere: they are never changed, removed or shown as drift.
      ignoreUsers: ["svc-*@example.com"],
      // People who were never on the list are removed as well. Without this, they stay.
      removeUnlisted: true,
      // If one run would remove more people than this, it removes no one, and the error names them all.
      maxRemovals: 3,
    }),
);

// People who have not accepted yet, as of this run.
export const pending = pulumi
  .output(everybody.map(({ memberDetails }) => memberDetails))
  .apply((lists) => lists.flat().filter(({ status }) => status === "pending"))
  .apply((invited) => [...new Set(invited.map(({ username }) => username))].sort());
