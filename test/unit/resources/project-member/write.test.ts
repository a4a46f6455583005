import type { Properties } from "../../../../provider/resources/contract/values";
import { projectMember } from "../../../../provider/resources/members/project-member";
import { membersOf } from "../../../../provider/resources/people/member-claims";
import { Claims } from "../../../../provider/resources/session/claims";
import { type Observation, ObservationLog } from "../../../../provider/resources/session/observations";
import { urnOf } from "../checker";
import { invitation, member, projectId } from "../people/people";
import { outcomeOf, type People, type Service, unreadable } from "../people/service";
import { ada, active as created, grace, id, inputs, pending as invited, project, roles } from "./ada";

const renamed = { ...member("ada"), username: grace };
const active: Properties = { ...created, origin: "adopted" };
const pending: Properties = { ...invited, origin: "adopted" };

const create = (service: Service, given: Properties = inputs, preview = false) =>
  outcomeOf(service, projectMember.create({ inputs: given, preview, context: service.context }));

const lookup = `GET accounts/byName/${ada}`;
const invite = `POST invites ${JSON.stringify({ username: ada, roles })}`;

describe("creating a ProjectMember whose name had a meaning before in the same run", () => {
  const own = urnOf("ProjectMember", "ada");
  const other = urnOf("ProjectMember", "other");
  const recorded = { userId: "user-ada", username: grace };
  const seen = {
    ...{ kind: "ProjectMember" as const, id, ownerId: projectId, origin: "imported" as const },
    ...{ names: [{ username: ada }], recorded },
  };
  const elsewhere = "5f00000000000000000000a2";
  const people = { members: [renamed] };
  async function createAfter(
    urn: string,
    observation: Observation,
    given: Properties = inputs,
    begun: People = people,
  ) {
    const service = project(begun);
    service.context.session.of(ObservationLog).record(urn, observation);
    const { result, requests } = await create(service, given);
    return { state: (result as { state?: Properties }).state ?? result, requests };
  }
  const adopted = { ...active, username: grace };
  const sent = { state: invited, requests: [lookup, invite] };

  test("adopts the renamed account, and a replacement retains the recorded origin", async () => {
    expect(await createAfter(own, seen)).toEqual({ state: { ...adopted, origin: "imported" }, requests: [] });
    expect(await createAfter(other, seen)).toEqual({ state: adopted, requests: [] });
  });

  test.each<[string, string, Observation]>([
    ["the program gave another name", own, { ...seen, names: [{ username: grace }] }],
    ["it was recorded for another project", own, { ...seen, id: `${elsewhere}/${ada}`, ownerId: elsewhere }],
    ["no read found the person", own, { ...seen, recorded: undefined }],
    ["only the name is recorded", own, { ...seen, recorded: { username: ada } }],
  ])("invites the person of this name if %s", async (_, urn, observation) => {
    expect(await createAfter(urn, observation)).toEqual(sent);
  });

  test("invites the person of this name if another resource declares the renamed account", async () => {
    const service = project(people);
    const { session } = service.context;
    session.of(ObservationLog).record(own, seen);
    session.of(Claims).claim(membersOf(projectId, { userId: "user-ada" }), other);
    expect((await create(service)).requests).toEqual(sent.requests);
  });

  test("adopts the renamed account if this resource declares it", async () => {
    const service = project(people);
    const { session } = service.context;
    session.of(ObservationLog).record(own, seen);
    session.of(Claims).claim(membersOf(projectId, { userId: "user-ada" }), own);
    expect((await create(service)).requests).toEqual([]);
  });

  test("is refused if the program gives the invitation of another person beside the name", async () => {
    const given = { ...inputs, invitationId: "invite-bob" };
    const begun = { members: [renamed], invitations: [invitation("bob")] };
    expect(await createAfter(own, seen, given, begun)).toEqual({
      state: `username "${ada}" and invitationId invite-bob do not name the same person in project ${projectId}: found ${grace} (user user-ada). Remove one of them, or correct it. Nothing was written.`,
      requests: [],
    });
  });

  test("adopts the invitation that the program gives beside the name", async () => {
    const given = { ...inputs, invitationId: "invite-ada" };
    const begun = { members: [renamed], invitations: [invitation("ada")] };
    expect(await createAfter(other, seen, given, begun)).toEqual({ state: pending, requests: [] });
  });

  test("adopts the member who accepted the invitation that the program gives", async () => {
    const given = { projectId, invitationId: "invite-ada", roles };
    const ids = { userId: "user-ada", invitationId: "invite-ada" };
    const byInvitation = { ...seen, id: `${projectId}/invite-ada`, names: [{}], recorded: ids };
    const begun = { members: [member("ada")] };
    expect(await createAfter(own, byInvitation, given, begun)).toEqual({ state: active, requests: [] });
    const named = { ...seen, names: [{ username: grace }, { username: ada }], recorded: ids };
    expect(await createAfter(own, named, { ...given, username: ada })).toEqual({
      state: { ...adopted, origin: "imported" },
      requests: [],
    });
  });

  test("adopts the recorded invitation whose name has changed", async () => {
    const recordedInvitation = { ...seen, recorded: { invitationId: "invite-grace", username: ada } };
    const begun = { invitations: [invitation("grace")] };
    const state = { ...invited, username: grace, invitationId: "invite-grace", origin: "imported" };
    expect(await createAfter(own, recordedInvitation, inputs, begun)).toEqual({ state, requests: [] });
  });

  test("adopts the recorded invitation of the account that the program gives", async () => {
    const observation = {
      ...seen,
      names: [{ userId: "user-ada" }],
      recorded: { ...recorded, invitationId: "invite-grace" },
    };
    const given = { projectId, userId: "user-ada", roles };
    const state = { ...pending, userId: "user-ada", username: grace, invitationId: "invite-grace" };
    const begun = { invitations: [invitation("grace")] };
    expect(await createAfter(other, observation, given, begun)).toEqual({ state, requests: [] });
  });

  test("adopts a member of whom only the name is recorded, also without rights to list invitations", async () => {
    const service = project({ members: [member("ada")] }, { "GET invites": unreadable });
    service.context.session.of(ObservationLog).record(own, { ...seen, recorded: { username: ada } });
    expect((await create(service)).result).toEqual({ id, state: { ...active, origin: "imported" } });
  });
});
