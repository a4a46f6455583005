/** What a list that was read before a deletion makes of the rejection that follows it. */

import type { Context, Resource } from "../../provider/resources/contract/resource";
import { Session } from "../../provider/resources/contract/session";
import type { Properties } from "../../provider/resources/contract/values";
import { projectMember } from "../../provider/resources/members/project-member";
import { project } from "../../provider/resources/project";
import { ProjectCache } from "../../provider/resources/reads/projects";
import { clientFactory } from "../integration/client/with-client";

const start = clientFactory();

/**
 * The list, requested when the project was still there, outlived its deletion. If the resource of a person names the project by
 * its id, the engine may delete the project first. The person then seemed to be in a project that this key may not read.
 */
it("counts a member as removed with a project that this operation has deleted", async () => {
  const { sandbox, client, settings } = await start.sandbox();
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
  const made = await create(project, { orgId: sandbox.orgId, name: "one" });
  const inputs = { projectId: made.id, username: "ada@example.com", roles: ["GROUP_READ_ONLY"] };
  const person = await create(projectMember, inputs);
  context.session.forget();

  await context.session.of(ProjectCache).ids.shared(sandbox.orgId, context.signal);
  await project.delete(made);
  await projectMember.delete(person);
  expect(sandbox.state.projects).toEqual([]);
});
