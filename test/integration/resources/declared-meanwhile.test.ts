/** Delete reads before it removes a person: another resource that is checked meanwhile keeps the person in the project. */
import { resourceNamed } from "../../../provider/resources";
import { Session } from "../../../provider/resources/contract/session";
import { membershipsIn } from "../../engine/support/people-program";
import { clientFactory } from "../client/with-client";

const start = clientFactory();

// A replacement that deletes first does so while the engine checks other resources.
it.each([
  ["reads the people", undefined],
  ["tries to read the people, which the key may not", 403],
])("does not remove a person whom another resource declares while it %s", async (_, status) => {
  let onRequest = () => {};
  const { sandbox, client, settings } = await start.sandbox({ log: () => onRequest() });
  const { id: projectId } = sandbox.addProject({ name: "payments" });
  sandbox.setMember(projectId, { username: "ada@example.com" }, ["GROUP_READ_ONLY"]);
  const messages: string[] = [];
  const contextOf = (session: Session, name: string) => ({
    session,
    urn: `urn:pulumi:dev::proj::opsmanager:index:ProjectMember::${name}`,
    log: { info: (text: string) => void messages.push(text), warn: () => undefined },
    signal: new AbortController().signal,
  });
  const { check, create, delete: remove } = resourceNamed("ProjectMember");
  const inputs = { projectId, username: "ada@example.com", roles: ["GROUP_READ_ONLY"] };
  const first = contextOf(new Session(client, settings), "old");
  const made = await create({ inputs, preview: false, context: first });

  if (status)
    sandbox.addFault({ method: "GET", pathPattern: "/groups/\\w+/users", times: 0, fault: { status } });
  const session = new Session(client, settings);
  onRequest = () => void check({ inputs, context: contextOf(session, "new") });
  await remove({ ...made, oldInputs: inputs, context: contextOf(session, "old") });
  expect(membershipsIn(sandbox).members).toEqual({ "ada@example.com": ["GROUP_READ_ONLY"] });
  expect(messages.at(-1)).toBe(
    `ada@example.com in project ${projectId} was kept because urn:pulumi:dev::proj::opsmanager:index:ProjectMember::new declares this person.`,
  );
});
