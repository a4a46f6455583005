/** getProjectMembers, after a response that means that a service does not offer invitations. */
import { getProjectMembers } from "../../../provider/functions/get-project-members";
import { Session } from "../../../provider/resources/contract/session";
import { clientFactory } from "../client/with-client";

const { sandbox: connect } = clientFactory();

it("getProjectMembers has pending people also if the first response means that there is no list of them", async () => {
  const eve = "eve@example.com";
  const seed = {
    projects: [{ name: "payments", invitations: [{ username: eve, roles: ["GROUP_READ_ONLY"] }] }],
  };
  const { sandbox, client, settings } = await connect({ seed });
  const context = { session: new Session(client, settings), signal: new AbortController().signal };
  const args = { projectId: sandbox.state.projects[0]?.id ?? "" };
  const lookUp = () => getProjectMembers.invoke({ args, context });
  const fault = { status: 404, body: "", contentType: "text/plain" };
  const refuseList = () => sandbox.addFault({ method: "GET", pathPattern: "/invites(\\?|$)", fault });
  refuseList();
  expect((await lookUp()).members).toMatchObject([{ username: eve, status: "pending" }]);
  refuseList();
  await expect(lookUp()).rejects.toThrow("it has listed invitations before");
});
