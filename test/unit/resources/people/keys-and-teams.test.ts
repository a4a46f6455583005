/** How API keys and teams are found, and what is refused for the provider's own key and the only owner. */
import type { Call } from "../../../../provider/api/client";
import type { ProjectContext } from "../../../../provider/resources/contract/resource";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import { explainOnlyOwner } from "../../../../provider/resources/people/only-owner";
import {
  apiKeyIn,
  findApiKey,
  keysOfProject,
  refuseForOwnKey,
} from "../../../../provider/resources/reads/api-keys";
import { named, nameOfTeam, teamNamed } from "../../../../provider/resources/reads/find-team";
import { namedTeamsOfProject } from "../../../../provider/resources/reads/project-teams";
import { ObservationLog } from "../../../../provider/resources/session/observations";
import { ApiError } from "../../../../provider/text/errors";
import { newSession, urnOf } from "../checker";
import { projectId } from "./people";

const orgId = "5f00000000000000000000b1";
const unreadable = new ApiError("403 Not for you.", { status: 403 });

/** A service that responds with these values in turn; an error is thrown. */
function service(...responses: unknown[]) {
  const requests: string[] = [];
  const next = ({ path }: Call<unknown>) => {
    requests.push(path.join("/"));
    const response = responses.shift();
    if (response instanceof Error) throw response;
    return response;
  };
  const client = {
    publicKey: "abcdefgh",
    list: async (call: Call<unknown>) => (next(call) as object[]).map((entry) => call.shape.parse(entry)),
    call: async (call: Call<unknown>) => call.shape.parse(next(call)),
  };
  const log = { info: () => {}, warn: () => {} };
  const context: ProjectContext = {
    session: newSession({}, client),
    ...{ urn: urnOf("ProjectTeam", "team"), log, signal: new AbortController().signal, projectId },
  };
  return { context, requests };
}

function key(id: string, ...roles: object[]) {
  return { id, desc: "ci", publicKey: `public-${id}`, roles };
}

describe("API keys", () => {
  const deleted = new ApiError("404", { status: 404, errorCode: "API_KEY_NOT_FOUND" });

  test.each<[string, unknown[], string | Refusal | undefined, number]>([
    ["is found in the list", [[key("one"), key("two")]], "two", 1],
    ["is read singly if the list lacks it", [[key("one")], key("two")], "two", 2],
    ["does not exist if the service responds that it was deleted", [[key("one")], deleted], undefined, 2],
    ["is refused if it cannot be read", [[key("one")], unreadable], new Refusal(unreadable), 2],
    ["is refused if the list cannot be read", [unreadable], new Refusal(unreadable), 1],
  ])("an API key of an organization %s", async (_, responses, expected, count) => {
    const { context, requests } = service(...responses);
    const found = await findApiKey(orgId, "two", context);
    expect(found instanceof Refusal ? found : found?.keyId).toEqual(expected);
    expect(requests).toEqual([`orgs/${orgId}/apiKeys`, `orgs/${orgId}/apiKeys/two`].slice(0, count));
  });
});

test("the keys of a project are those with a role in it, with these roles alone", async () => {
  const here = { groupId: projectId, roleName: "GROUP_OWNER" };
  const elsewhere = { groupId: "other", roleName: "GROUP_READ_ONLY" };
  const { context } = service([key("one", elsewhere, here), key("two", elsewhere), key("three")]);
  expect(await keysOfProject(context.session.client, projectId, context.signal)).toEqual([
    { keyId: "one", description: "ci", publicKey: "public-one", roles: ["GROUP_OWNER"] },
  ]);
});

test("a change of the provider's own key is refused, and of another key it is not", () => {
  const { session } = service().context;
  expect(() => refuseForOwnKey({ publicKey: "other" }, "was not deleted", session)).not.toThrow();
  expect(() => refuseForOwnKey({ publicKey: "abcdefgh" }, "was not deleted", session)).toThrow(
    'API key abcdefgh was not deleted: the provider itself authenticates with it, so later requests would be rejected. Run this change with another key, or revert it in the program. To remove the resource and keep the key, set onDestroy to "release".',
  );
});

test("a key is claimed by each part of its identity that is known", () => {
  expect(apiKeyIn(orgId, {})).toEqual([]);
  expect(apiKeyIn(orgId, { keyId: "one" })).toEqual([["API key", orgId, "one"]]);
  expect(apiKeyIn(orgId, { publicKey: "two" })).toEqual([["public key", orgId, "two"]]);
});

describe("teams", () => {
  const [one, two] = [
    { id: "t1", name: "operators" },
    { id: "t2", name: "auditors" },
  ];

  test.each<[string, unknown[], string | undefined, string | undefined]>([
    ["has the name that the list shows", [[one, two]], orgId, "auditors"],
    ["has no known name if the list lacks it", [[one]], orgId, undefined],
    ["has no known name if the list cannot be read", [unreadable], orgId, undefined],
    ["has no known name in an unknown organization", [], undefined, undefined],
  ])("a team of an organization %s", async (_, responses, organization, expected) => {
    expect(await nameOfTeam("t2", organization, service(...responses).context)).toBe(expected);
  });

  test("a team of an organization is called by its ID where its name is not known", () => {
    expect(named("t1", "operators")).toEqual({ teamId: "t1", teamName: "operators" });
    expect(named("t1", undefined)).toEqual({ teamId: "t1", teamName: "t1" });
  });

  test.each<[string, unknown[], "reading" | "writing", string | undefined, number]>([
    ["is found by its exact name in one read", [[one, two]], "reading", "t2", 1],
    ["is found by a second read if it was created since the first", [[one], [one, two]], "reading", "t2", 2],
    ["is none if two reads lack it", [[one], [{ ...two, name: "Auditors" }]], "reading", undefined, 2],
    ["is found for a write by one read", [[one, two]], "writing", "t2", 1],
  ])("a team of an organization %s", async (_, responses, purpose, expected, reads) => {
    const { context, requests } = service(...responses);
    expect((await teamNamed("auditors", orgId, context, purpose))?.id).toBe(expected);
    expect(requests).toHaveLength(reads);
  });

  test("a team of an organization is read again for a write, because another team may have the name now", async () => {
    const { context, requests } = service([one, two], [one, { ...two, id: "t3" }]);
    expect((await teamNamed("auditors", orgId, context))?.id).toBe("t2");
    expect((await teamNamed("auditors", orgId, context, "writing"))?.id).toBe("t3");
    expect(requests).toHaveLength(2);
  });

  test("a team of an organization cannot be found by name if the list cannot be read, and the error says why", async () => {
    await expect(teamNamed("auditors", orgId, service(unreadable).context)).rejects.toMatchObject({
      message: `Team "auditors" cannot be found by name: these credentials cannot list the teams of organization ${orgId}. (403 Not for you.)`,
      cause: unreadable,
    });
  });
});

describe("teams of projects", () => {
  const entries = ["t3", "t1", "t2"].map((teamId) => ({ teamId, roleNames: ["B", "A", "B"] }));
  const roles = ["A", "B"];

  test("the teams of a project are sorted by name, then by ID; those without a known name come first", async () => {
    const names = [{ id: "t1", name: "operators" }];
    const { context } = service(entries, names);
    expect(await namedTeamsOfProject({ projectId, orgId }, context)).toEqual([
      { teamId: "t2", roles },
      { teamId: "t3", roles },
      { teamId: "t1", name: "operators", roles },
    ]);
  });

  test.each<[string, string | undefined, unknown[]]>([
    ["the organization is not known", undefined, []],
    ["the teams of the organization cannot be read", orgId, [unreadable]],
  ])("the teams of a project have no names if %s", async (_, organization, responses) => {
    const { context } = service(entries, ...responses);
    const teams = await namedTeamsOfProject({ projectId, orgId: organization }, context);
    expect(teams.map(({ teamId, name }) => [teamId, name])).toEqual([
      ["t1", undefined],
      ["t2", undefined],
      ["t3", undefined],
    ]);
  });
});

describe("only owners", () => {
  const refusal = new ApiError("Removing failed.", { status: 409, errorCode: "CANNOT_DELETE_LAST_OWNER" });
  const start = `Team operators is the only owner of project ${projectId} and was not removed. Add an owner first; or set onDestroy to "release" and run pulumi up (if the member is being replaced, revert the program first)`;
  const withProject =
    "; or, to delete the project with all its members, set the resource option deletedWith to the Project";
  const response = ". (409 CANNOT_DELETE_LAST_OWNER)";

  test.each<["created" | "adopted" | undefined, string]>([
    ["created", start + withProject + response],
    ["adopted", start + response],
    [undefined, start + response],
  ])(
    "the refusal to remove the only owner of a project names the solutions for a project of this origin: %s",
    (origin, message) => {
      const { context } = service();
      const project = { kind: "Project", id: projectId, names: [] } as const;
      if (origin) context.session.of(ObservationLog).record("urn:project", { ...project, origin });
      expect(explainOnlyOwner("Team operators", context, refusal)).toMatchObject({ message, cause: refusal });
    },
  );

  test("the refusal to remove the only owner of a project is the error itself if the service refuses for another reason", () => {
    expect(explainOnlyOwner("Team operators", service().context, unreadable)).toBe(unreadable);
  });
});
