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

// A list that did not load looks like an empty one. So the run ends here, before anything is changed.
if (people.length === 0) throw new Error("people.json lists no people, so nothing was changed.");

// A name with a typing error would read as "is not in that project any more".
for (const { username, projects: theirs } of people) {
  const strays = Object.keys(theirs).filter((name) => !projects.includes(name));
  if (strays.length > 0)
    throw new Error(`people.json: ${username} is in unknown projects: ${strays.join(", ")}.`);
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
      // A project without any member is refused by the provider too: this map must not be empty.
      members: Object.fromEntries(
        people.flatMap(({ username, projects: theirs }) =>
          name in theirs ? [[username, theirs[name]]] : [],
        ),
      ),
      // Accounts of machines are managed elsewhere: they are never changed or removed, and are no drift.
      ignoreUsers: ["svc-*@example.com"],
      // People who were never on the list are removed as well. Without this, they stay.
      removeUnlisted: true,
      // Where more people than this would go at once, nobody goes, and the error names them all.
      maxRemovals: 3,
    }),
);

// Who has not accepted yet, as of this run.
export const pending = pulumi
  .output(everybody.map(({ memberDetails }) => memberDetails))
  .apply((lists) => lists.flat().filter(({ status }) => status === "pending"))
  .apply((invited) => [...new Set(invited.map(({ username }) => username))].sort());
