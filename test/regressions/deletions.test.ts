/** Deletions whose answers got lost: what a second project of the same organization made of the first one's proof. */
import { project } from "../../provider/resources/project/project";
import type { Context } from "../../provider/resources/resource";
import { Session } from "../../provider/resources/session";
import { places } from "../integration/client/with-client";

const start = places();

/**
 * The answer to a DELETE got lost, so it was repeated, and the second one was answered with GROUP_NOT_FOUND. That is believed once
 * the organization's list lacks the project. The list was asked for once per operation: where a first project had asked for it
 * while a second one was still there, the second one's repeated DELETE seemed to be refused for a project that exists. The user
 * saw "404 GROUP_NOT_FOUND" for a project that was deleted, and it stayed in the state.
 */
it("counts a project as deleted whose DELETE was repeated, also where another one was deleted so before", async () => {
  const { sandbox, client, settings } = await start.sandbox({}, { maxRetries: 1 });
  const context: Context = {
    session: new Session(client, settings),
    urn: "urn:pulumi:dev::proj::opsmanager:index:Project::subject",
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  const create = (name: string) => {
    const inputs = { orgId: sandbox.orgId, name };
    return project.create({ inputs, preview: false, context }).then((created) => ({ ...created, inputs }));
  };
  const made = [await create("one"), await create("two")];
  context.session.forget();

  for (const { id, state, inputs } of made) {
    sandbox.addFault({ method: "DELETE", fault: "reset-after-write" });
    await project.delete({ id, state, oldInputs: inputs, context });
  }
  expect(sandbox.state.projects).toEqual([]);
});
