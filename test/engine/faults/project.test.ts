/** The fault matrix with the real engine: every fault meets every operation on a project. */
import { answersNothing, type FaultRow, staysRecorded } from "../../integration/faults/matrix";
import type { Sandbox } from "../../sandbox";
import { disposeEstates } from "../support/estate";
import { projectsNamed } from "../support/project-program";
import { expectMatrix, type Operation } from "./support/expected";
import { beginLife, type Group, groups, type Life, type Subject } from "./support/life";

const held = ({ name }: Subject, sandbox: Sandbox) =>
  projectsNamed(sandbox, name)
    .map(({ tags }) => tagged(tags))
    .join(" and ") || "none";
const tagged = (tags: unknown) => `project ${(Array.isArray(tags) && tags.join()) || "without tags"}`;
const idOf = ({ name }: Subject, sandbox: Sandbox) => projectsNamed(sandbox, name)[0]?.id;
const declares =
  (tags: readonly string[]) =>
  ({ name }: Subject, { orgId }: Sandbox) => ({ type: "Project", properties: { orgId, name, tags } });

const seen = { service: held, record: ({ tags }: Readonly<Record<string, unknown>>) => tagged(tags) };
const untagged = "project without tags";

/** In the order of a project's life: each begins where the one before has ended. */
const operations: readonly Operation[] = [
  {
    ...seen,
    name: "creating a project",
    declares: declares([]),
    meets: ({ name }) => ({ method: "POST", pathPattern: "/groups$", bodyPattern: `"name":"${name}"` }),
    action: ({ name }, { orgId }) => `Creating project "${name}" in organization ${orgId}`,
    before: "none",
    after: { service: untagged, state: untagged },
    failed: { state: "none", next: "create" },
  },
  {
    ...seen,
    name: "updating a project",
    declares: declares(["NEW"]),
    meets: (subject, sandbox) => ({ method: "PATCH", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Updating tags of project ${idOf(subject, sandbox)}`,
    before: untagged,
    after: { service: "project NEW", state: "project NEW" },
    failed: { state: untagged, next: "update" },
  },
  {
    ...seen,
    name: "reading a project",
    declares: declares(["NEW"]),
    meets: (subject, sandbox) => ({ method: "GET", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Reading project ${idOf(subject, sandbox)}`,
    before: "project NEW",
    after: { service: "project NEW", state: "project NEW" },
    failed: { state: "project NEW", next: "same" },
    exceptions: staysRecorded,
  },
  {
    ...seen,
    name: "refreshing a project",
    command: "refresh",
    declares: declares(["NEW"]),
    meets: (subject, sandbox) => ({ method: "GET", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Reading project ${idOf(subject, sandbox)}`,
    before: "project NEW",
    after: { service: "project NEW", state: "project NEW" },
    failed: { state: "project NEW", next: "same" },
    exceptions: staysRecorded,
  },
  {
    ...seen,
    name: "deleting a project",
    meets: (subject, sandbox) => ({ method: "DELETE", pathPattern: `/groups/${idOf(subject, sandbox)}$` }),
    action: (subject, sandbox) => `Deleting project ${idOf(subject, sandbox)}`,
    before: "project NEW",
    after: { service: "none", state: "none" },
    failed: { state: "project NEW", next: "delete" },
    exceptions: answersNothing,
  },
  {
    ...seen,
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
  },
];

/** The project is there before, made by hand. */
const adopting: Operation = {
  ...seen,
  name: "adopting a project",
  declares: ({ projectId }) => ({ type: "Project", properties: { projectId, tags: ["NEW"] } }),
  meets: ({ projectId }) => ({ method: "PATCH", pathPattern: `/groups/${projectId}$` }),
  action: ({ projectId }) => `Updating tags of project ${projectId}`,
  before: untagged,
  after: { service: "project NEW", state: "project NEW" },
  failed: { state: "none", next: "create" },
};

const [oneRequest] = groups as readonly [Group, ...Group[]];

function tagOf(name: string): string {
  return name.slice(0, 32);
}

afterAll(disposeEstates);

describe.each(groups)("$name (plugin)", (group) => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ door: "plugin", group });
  });

  // A read that is repeated has one outcome, whichever fault it met: test/integration/faults has those that spread.
  const played = group.oneByOne
    ? operations.filter(({ name }) => !/^(reading|refreshing) /.test(name))
    : operations;
  it.each(played)("$name comes to what the matrix says", (operation) => expectMatrix(life, operation));
});

it("adopting a project comes to what the matrix says: faults of one request (plugin)", async () => {
  const makes = (sandbox: Sandbox, name: string) => sandbox.addProject({ name });
  const life = await beginLife({ door: "plugin", group: oneRequest, makes });
  await expectMatrix(life, adopting);
});

/** What an outcome means is shared code: the dynamic provider repeats one fault for each kind of outcome. */
const onePerOutcome: Group = {
  ...oneRequest,
  name: "one fault per outcome",
  rows: [...new Map(oneRequest.rows.toReversed().map((row) => [outcomesOf(row), row])).values()].toReversed(),
};

function outcomesOf({ repeatable, post, takesEffect }: FaultRow): string {
  return JSON.stringify([repeatable, post, takesEffect]);
}

describe("one fault per outcome (dynamic)", () => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife({ door: "dynamic", group: onePerOutcome });
  });

  const played = operations.filter(({ name }) => /^(creating|updating|deleting) /.test(name));
  it.each(played)("$name comes to what the matrix says", (operation) => expectMatrix(life, operation));
});
