import { asApiKeyState } from "../../../provider/resources/api-key/state";
import type { Properties } from "../../../provider/resources/contract/values";
import { recordedGrant, toState } from "../../../provider/resources/grants/declared";
import { asKeyState } from "../../../provider/resources/keys/agent-api-key";
import { organizationMemberPort } from "../../../provider/resources/members/organization-member";
import { asMemberState } from "../../../provider/resources/members/record";
import { asTeamState } from "../../../provider/resources/team/state";

const placeId = "5f00000000000000000000a1";
const objectId = "5f00000000000000000000c1";

interface Recorded {
  readonly read: (state: Properties, id: string) => object;
  /** What a state that records nothing means. */
  readonly fallback: Properties;
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
  },
  ProjectTeam: {
    read: grantOf("teamId", "teamName"),
    fallback: { projectId: placeId, teamId: objectId, roles: [], origin: "adopted", onDestroy: "remove" },
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
  },
};

test.each(Object.entries(kinds))(
  "the state of %s takes what an older version did not record from the id, or the least that it can mean",
  (_, { read, fallback }) => {
    expect(read({}, `${placeId}/${objectId}`)).toEqual(fallback);
  },
);
