import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { fault } from "../checker";
import { projectId } from "../people/people";
import { type Responses, unreadable } from "../people/service";
import { active, ada, id, inputs, project, withoutIds } from "./ada";

test.each<[string, Responses, Properties]>([
  ["a member, also without rights to list the invitations", { "GET invites": unreadable }, active],
  [
    "a person without a recorded invitation, if the service lists none",
    { "GET invites": fault(404) },
    withoutIds,
  ],
])("refreshing a ProjectMember removes from the state %s", async (_, responses, state) => {
  const { context } = project({}, responses);
  expect(await projectMember.read({ id, state, oldInputs: inputs, context })).toBeUndefined();
});

test("importing a ProjectMember of a project that does not exist finds no one", async () => {
  const { context } = project({}, { "GET users": fault(404, "GROUP_NOT_FOUND") });
  expect(await projectMember.read({ id: `${projectId}/${ada}`, context })).toBeUndefined();
});
