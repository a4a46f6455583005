import { asKeyState } from "../../../provider/resources/agent-api-key/state";
import { asApiKeyState } from "../../../provider/resources/api-key/state";
import type { Properties } from "../../../provider/resources/contract/values";
import { recordedGrant, toState } from "../../../provider/resources/grants/declared";
import { organizationMemberPort } from "../../../provider/resources/members/organization-member";
import { asMemberState } from "../../../provider/resources/members/record";
import { asTeamState } from "../../../provider/resources/team/state";

const placeId = "5f00000000000000000000a1";
const objectId = "5f00000000000000000000c1";
const otherOwner = "5f00000000000000000000a2";
const otherObject = "5f00000000000000000000c2";

interface Recorded {
  readonly read: (state: Properties, id: string) => object;
  /** What a state that records nothing means. */
  readonly fallback: Properties;
  /** Another value for each of these properties. */
  readonly recorded: Properties;
}

const grantOf =
  (...identity: [id: string, name: string]) =>
  (state: Properties, id: string) =>
    toState(identity, recordedGrant(identity, state, id));

const kinds: Readonly<Record<string, Recorded>> = {
  Team: {
    read: asTeamState,
    fallback: {
      orgId: placeId,
      teamId: objectId,
      name: "",
      usernames: [],
      people: [],
      origin: "adopted",
      onDestroy: "release",
      maxRemovals: 5,
      removeUnlisted: false,
    },
    recorded: {
      orgId: otherOwner,
      teamId: otherObject,
      name: "operators",
      usernames: ["ada@example.com"],
      people: [{ userId: "user-ada", username: "ada@example.com", declared: true }],
      origin: "created",
      onDestroy: "delete",
      maxRemovals: 1,
      removeUnlisted: true,
    },
  },
  ProjectTeam: {
    read: grantOf("teamId", "teamName"),
    fallback: { projectId: placeId, teamId: objectId, roles: [], origin: "adopted", onDestroy: "remove" },
    recorded: {
      projectId: otherOwner,
      teamId: otherObject,
      roles: ["GROUP_OWNER"],
      origin: "created",
      onDestroy: "release",
    },
  },
  ApiKey: {
    read: asApiKeyState,
    fallback: {
      orgId: placeId,
      keyId: objectId,
      publicKey: "",
      description: "",
      roles: [],
      origin: "imported",
      onDestroy: "remove",
    },
    recorded: {
      orgId: otherOwner,
      keyId: otherObject,
      publicKey: "abcdefgh",
      description: "ci",
      roles: ["ORG_MEMBER"],
      origin: "created",
      onDestroy: "release",
    },
  },
  ProjectApiKey: {
    read: grantOf("keyId", "publicKey"),
    fallback: {
      projectId: placeId,
      keyId: objectId,
      roles: [],
      origin: "adopted",
      onDestroy: "remove",
    },
    recorded: {
      projectId: otherOwner,
      keyId: otherObject,
      publicKey: "abcdefgh",
      roles: ["GROUP_OWNER"],
      origin: "created",
      onDestroy: "release",
    },
  },
  AgentApiKey: {
    read: asKeyState,
    fallback: {
      projectId: placeId,
      keyId: objectId,
      description: "",
      origin: "imported",
      onDestroy: "remove",
    },
    recorded: {
      projectId: otherOwner,
      keyId: otherObject,
      description: "agents",
      origin: "created",
      onDestroy: "release",
    },
  },
  OrganizationMember: {
    read: (state, id) => asMemberState(organizationMemberPort, state, id),
    fallback: {
      orgId: placeId,
      username: objectId,
      status: "pending",
      roles: [],
      origin: "adopted",
      onDestroy: "remove",
    },
    recorded: {
      orgId: otherOwner,
      username: "ada@example.com",
      status: "active",
      roles: ["ORG_MEMBER"],
      origin: "created",
      onDestroy: "release",
    },
  },
};

describe.each(Object.entries(kinds))("the state of %s", (_, { read, fallback, recorded }) => {
  const id = `${placeId}/${objectId}`;

  test("counts as recorded, whatever the id says", () => {
    expect(read(recorded, id)).toEqual(recorded);
  });

  test("takes what an older version did not record from the id, or the least that it can mean", () => {
    expect(read({}, id)).toEqual(fallback);
  });
});
