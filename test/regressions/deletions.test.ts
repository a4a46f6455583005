/** Deletions whose responses got lost: what a second project of the same organization made of the first one's proof. */

import type { Context, Resource } from "../../provider/resources/contract/resource";
import { Session } from "../../provider/resources/contract/session";
import type { Properties } from "../../provider/resources/contract/values";
import { projectMember } from "../../provider/resources/members/project-member";
import { project } from "../../provider/resources/project";
import { ProjectCache } from "../../provider/resources/reads/projects";
import { clientFactory } from "../integration/client/with-client";

const start = clientFactory();

/**
 * The response to a DELETE got lost, so it was repeated, and the second one was answered with
 * GROUP_NOT_FOUND. That is believed once the organization's list lacks the project. The list was
 * requested once per operation. A first project requested it while a second one still existed. The
 * repeated DELETE of the second one then seemed to be rejected for a project that exists. The user
 * saw "404 GROUP_NOT_FOUND" for a project that was deleted, and it stayed in the state.
 */
async function scenario() {
  const { sandbox, client, settings } = await start.sandbox({}, { maxRetries: 1 });
  const context: Context = {
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:Project::subject",
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  const create = async (resource: Resource, inputs: Properties) => {
    const { id, state } = await resource.create({ inputs, preview: false, context });
    return { id, state, oldInputs: inputs, context };
  };
  const createProject = (name: string) => create(project, { orgId: sandbox.orgId, name });
  return { sandbox, context, create, createProject };
}

it("counts a project as deleted whose DELETE was repeated, also where another one was deleted so before", async () => {
  const { sandbox, context, createProject } = await scenario();
  const made = [await createProject("one"), await createProject("two")];
  context.session.forget();

  for (const deletion of made) {
    sandbox.addFault({ method: "DELETE", fault: "reset-after-write" });
    await project.delete(deletion);
  }
  expect(sandbox.state.projects).toEqual([]);
});

/**
 * The same with a response that came: the list, requested when the project was still there,
 * outlived its deletion. If the resource of a person names the project by its id, the engine may
 * delete the project first. The person then seemed to be in a project that this key may not read.
 */
it("counts a member as removed with a project that this operation has deleted", async () => {
  const { sandbox, context, create, createProject } = await scenario();
  const made = await createProject("one");
  const inputs = { projectId: made.id, username: "ada@example.com", roles: ["GROUP_READ_ONLY"] };
  const person = await create(projectMember, inputs);
  context.session.forget();

  await context.session.of(ProjectCache).ids.shared(sandbox.orgId, context.signal);
  await project.delete(made);
  await projectMember.delete(person);
  expect(sandbox.state.projects).toEqual([]);
});
