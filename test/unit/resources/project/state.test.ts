import { NO_IDP_LOGIN } from "../../../../provider/api/hints";
import { projectResponse } from "../../../../provider/api/projects";
import { projectDifferences } from "../../../../provider/resources/project/diff";
import type { ProjectInputs } from "../../../../provider/resources/project/inputs";
import { lacksSent, overwrites, storedOtherwise } from "../../../../provider/resources/project/patch";
import {
  type LiveProject,
  type ProjectState,
  toLive,
  withHiddenTags,
} from "../../../../provider/resources/project/state";

const projectId = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const live: LiveProject = { projectId, orgId, name: "payments", tags: ["A", "B"] };
const state: ProjectState = {
  projectId,
  orgId,
  name: "payments",
  tags: ["A", "B"],
  origin: "created",
  onDestroy: "delete",
  tagsVisible: true,
};
const mapping = (roleName: string, ...ldapGroups: string[]) => ({ roleName, ldapGroups });
const nothingIgnored = () => false;

test("what the service says has sets in order, a group once, and no mapping without groups", () => {
  const response = projectResponse.parse({
    id: projectId,
    orgId,
    name: "payments",
    tags: ["B", "A"],
    ldapGroupMappings: [
      mapping("Z", "b", "a", "b"),
      mapping("EMPTY"),
      { roleName: "NONE" },
      mapping("A", "x"),
    ],
    idpGroupMappings: [
      { roleName: "Z", idpGroups: ["b", "a", "b"] },
      { roleName: "NONE", idpGroups: null },
      { roleName: "A", idpGroups: ["x"] },
    ],
    agentApiKey: "0a1b",
  });
  expect(toLive(response)).toEqual({
    ...live,
    ldapGroupMappings: [mapping("A", "x"), mapping("Z", "a", "b")],
    idpGroupMappings: [
      { roleName: "A", idpGroups: ["x"] },
      { roleName: "Z", idpGroups: ["a", "b"] },
    ],
  });
});

describe("tags that the key cannot see", () => {
  test.each([
    { response: "without tags", tags: undefined, tagsVisible: true, keepsRecorded: true },
    { response: "with no tag, after they were hidden", tags: [], tagsVisible: false, keepsRecorded: true },
    { response: "with no tag, while they are visible", tags: [], tagsVisible: true, keepsRecorded: false },
    { response: "with tags, after they were hidden", tags: ["C"], tagsVisible: false, keepsRecorded: false },
  ])(
    "a response $response keeps the recorded ones: $keepsRecorded",
    ({ tags, tagsVisible, keepsRecorded }) => {
      const { live: seen, ...others } = withHiddenTags({ ...live, tags }, { ...state, tagsVisible });
      expect({ tags: seen.tags, ...others }).toEqual(
        keepsRecorded
          ? { tags: state.tags, tagsVisible, tagsShown: false }
          : { tags, tagsVisible: true, tagsShown: true },
      );
    },
  );
});

describe("after a write", () => {
  test("what was stored as sent needs no word", () => {
    const patch = { name: "payments", tags: ["B", "A"], ldapGroupMappings: [] };
    expect(storedOtherwise(patch, live, true)).toEqual([]);
  });

  test("what was stored otherwise is named, sent and stored", () => {
    const patch = { name: "Payments", tags: ["a"], ldapGroupMappings: [mapping("R", "g")] };
    expect(storedOtherwise(patch, live, true)).toEqual([
      'name was sent as "Payments", but the service stored "payments".',
      'tags was sent as ["a"], but the service stored ["A","B"].',
      'ldapGroupMappings was sent as [{"roleName":"R","ldapGroups":["g"]}], but the service stored [].',
    ]);
  });

  test("mappings of an identity provider that were not stored have advice, and those stored otherwise have none", () => {
    const patch = { idpGroupMappings: [{ roleName: "R", idpGroups: ["g"] }] };
    const sent = 'idpGroupMappings was sent as [{"roleName":"R","idpGroups":["g"]}]';
    expect(storedOtherwise(patch, live, true)).toEqual([
      `${sent}, but the service stored []. ${NO_IDP_LOGIN}`,
    ]);
    const other = { ...live, idpGroupMappings: [{ roleName: "R", idpGroups: ["h"] }] };
    expect(storedOtherwise(patch, other, true)).toEqual([
      `${sent}, but the service stored [{"roleName":"R","idpGroups":["h"]}].`,
    ]);
  });

  test("tags that the key cannot see are not said to be stored otherwise", () => {
    const patch = { name: "orders", tags: ["a"] };
    expect(storedOtherwise(patch, { ...live, tags: undefined }, false)).toEqual([
      'name was sent as "orders", but the service stored "payments".',
    ]);
  });

  const mappings = { ldapGroupMappings: [mapping("R", "g")] };
  test.each([
    { what: "sent tags come back as none", patch: { tags: ["A"] }, response: { ...live, tags: [] } },
    { what: "cleared tags do not come back", patch: { tags: [] }, response: { ...live, tags: undefined } },
    { what: "sent mappings do not come back", patch: mappings, response: live },
  ])("another look is needed if $what", ({ patch, response }) => {
    expect(lacksSent(patch, response)).toBe(true);
  });

  test.each([
    { what: "cleared tags come back as none", patch: { tags: [] }, response: { ...live, tags: [] } },
    { what: "other tags come back", patch: { tags: ["C"] }, response: live },
    { what: "cleared mappings do not come back", patch: { ldapGroupMappings: [] }, response: live },
    {
      what: "other mappings come back",
      patch: mappings,
      response: { ...live, ldapGroupMappings: [mapping("S", "h")] },
    },
    { what: "only the name was sent", patch: { name: "x" }, response: { ...live, tags: undefined } },
  ])("no other look is needed if $what", ({ patch, response }) => {
    expect(lacksSent(patch, response)).toBe(false);
  });
});

test("what a patch takes away is said by name", () => {
  const now = {
    ...live,
    ldapGroupMappings: [mapping("GROUP_OWNER", "a", "b"), mapping("GROUP_READ_ONLY", "c")],
  };
  const patch = { name: "orders", tags: ["B", "C"], ldapGroupMappings: [mapping("GROUP_OWNER", "b", "d")] };
  expect(overwrites(patch, now)).toEqual([
    'name "payments" becomes "orders"',
    'tag "A" is removed',
    'GROUP_OWNER is no longer mapped to "a"',
    'GROUP_READ_ONLY is no longer mapped to "c"',
  ]);
  expect(overwrites({}, now)).toEqual([]);
  // What the response does not show is not named.
  const hidden = { ...now, tags: undefined, ldapGroupMappings: undefined };
  expect(overwrites({ tags: ["C"], ldapGroupMappings: [] }, hidden)).toEqual([]);
  // A group that moves to another role is taken from the first one.
  expect(overwrites({ ldapGroupMappings: [mapping("GROUP_OWNER", "a", "b", "c")] }, now)).toEqual([
    'GROUP_READ_ONLY is no longer mapped to "c"',
  ]);
});

describe("the differences between program and record", () => {
  const drawn = (inputs: ProjectInputs, oldInputs: ProjectInputs = {}, recorded = state) =>
    projectDifferences(recorded, inputs, oldInputs, nothingIgnored).map(
      ({ path, kind, replace }) => `${replace ? "replace " : ""}${kind} ${path.join(".")}`,
    );

  test("leave the tags of others out, and those that the key cannot see unknown", () => {
    expect(drawn({ tags: ["A"], ignoreTags: ["B"] }, {}, { ...state, ignoreTags: ["B"] })).toEqual([]);
    const { tags: _, ...untagged } = state;
    expect(drawn({ tags: ["A"] }, {}, untagged)).toEqual(["add tags"]);
    expect(drawn({ tags: [] }, {}, untagged)).toEqual(["add tags"]);
  });

  test("show groups inside a mapping that kept its place, and a whole mapping that did not", () => {
    const recorded = { ...state, ldapGroupMappings: [mapping("B", "x", "y"), mapping("C", "z")] };
    expect(drawn({ ldapGroupMappings: [mapping("B", "x", "w"), mapping("C", "z")] }, {}, recorded)).toEqual([
      "update ldapGroupMappings.0.ldapGroups.1",
    ]);
    expect(
      drawn(
        { ldapGroupMappings: [mapping("A", "x"), mapping("B", "x", "y"), mapping("C", "z")] },
        {},
        recorded,
      ),
    ).toEqual(["add ldapGroupMappings.0"]);
    expect(drawn({ ldapGroupMappings: [mapping("C", "z", "q")] }, {}, recorded)).toEqual([
      "update ldapGroupMappings.0",
      "delete ldapGroupMappings.1",
    ]);
    expect(drawn({ ldapGroupMappings: [] }, {}, recorded)).toEqual([
      "delete ldapGroupMappings.0",
      "delete ldapGroupMappings.1",
    ]);
    expect(drawn({ ldapGroupMappings: [mapping("B", "x")] })).toEqual(["add ldapGroupMappings"]);
  });
});
