/** Every operation on a project, for the fault matrix with the real engine. */

import type { Sandbox } from "../../../../sandbox";
import { projectsNamed } from "../../support/project-program";
import type { Operation } from "./expected";
import type { Subject } from "./life";

const held = ({ name }: Subject, sandbox: Sandbox) =>
  projectsNamed(sandbox, name)
    .map(({ tags }) => tagged(tags))
    .join(" and ") || "none";
const tagged = (tags: unknown) => `project ${(Array.isArray(tags) && tags.join()) || "without tags"}`;
const idOf = ({ name }: Subject, sandbox: Sandbox) => projectsNamed(sandbox, name)[0]?.id;
/** A project whose creation lost its response is recorded as adopted, so the program declares that destroying deletes it. */
const declares =
  (tags: readonly string[]) =>
  ({ name }: Subject, { orgId }: Sandbox) => ({
    type: "Project",
    properties: { orgId, name, tags, onDestroy: "delete" },
  });

const observed = { service: held, record: ({ tags }: Readonly<Record<string, unknown>>) => tagged(tags) };
const untagged = "project without tags";

/** In the order of a project's life: each begins where the one before has ended. */
export const operations: readonly Operation[] = [
  {
    ...observed,
    name: "creating a project",
    declares: declares([]),
    meets: ({ name }) => ({ method: "POST", pathPattern: "/groups$", bodyPattern: `"name":"${name}"` }),
    action: ({ name }, { orgId }) => `Creating project "${name}" in organization ${orgId}`,
    before: "none",
    after: { service: untagged, state: untagged },
    failed: { state: "none", next: "create" },
  },
  {
    ...observed,
    name: "updating a project",
    declares: declares(["NEW"]),
    meets: (subject, sandbox) => ({ method: "PATCH", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Updating tags of project ${idOf(subject, sandbox)}`,
    before: untagged,
    after: { service: "project NEW", state: "project NEW" },
    failed: { state: untagged, next: "update" },
  },
  {
    ...observed,
    name: "deleting a project",
    meets: (subject, sandbox) => ({ method: "DELETE", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Deleting project ${idOf(subject, sandbox)}`,
    before: "project NEW",
    after: { service: "none", state: "none" },
    failed: { state: "project NEW", next: "delete" },
  },
];

/** The project is created, and then does not get its tag. */
export const secondHalf: Operation = {
  ...observed,
  name: "the second half of creating a project",
  declares: ({ name }, { orgId }) => ({
    type: "Project",
    properties: { orgId, name, tags: [tagOf(name)] },
  }),
  service: (subject, sandbox) => held(subject, sandbox).replace(tagOf(subject.name), "TAG"),
  record: ({ name, tags }) => tagged(tags).replace(tagOf(String(name)), "TAG"),
  meets: ({ name }) => ({ method: "PATCH", bodyPattern: `"tags":\\["${tagOf(name)}"\\]` }),
  action: () => "was created, but is not yet as declared: Updating tags of project …",
  before: untagged,
  after: { service: "project TAG", state: "project TAG" },
  failed: { state: `${untagged}, unfinished`, next: "update" },
};

/** The project exists before, created outside Pulumi. */
export const adopting: Operation = {
  ...observed,
  name: "adopting a project",
  declares: ({ projectId }) => ({ type: "Project", properties: { projectId, tags: ["NEW"] } }),
  meets: ({ projectId }) => ({ method: "PATCH", pathPattern: `/groups/${projectId}$` }),
  action: ({ projectId }) => `Updating tags of project ${projectId}`,
  before: untagged,
  after: { service: "project NEW", state: "project NEW" },
  failed: { state: "none", next: "create" },
};

function tagOf(name: string): string {
  return name.slice(0, 32);
}
