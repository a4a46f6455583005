import { NO_IDP_LOGIN } from "../../../../provider/api/hints";
import { projectResponse } from "../../../../provider/api/projects";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import { projectDifferences } from "../../../../provider/resources/project/diff";
import type { ProjectInputs } from "../../../../provider/resources/project/inputs";
import { managed } from "../../../../provider/resources/project/managed";
import {
  lacksSent,
  overwrites,
  storedOtherwise,
  toPatch,
} from "../../../../provider/resources/project/patch";
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
  test.each<
    [
      string,
      readonly string[] | undefined,
      boolean,
      { tags: readonly string[]; tagsVisible: boolean; tagsShown: boolean },
    ]
  >([
    ["a response that shows tags counts", ["C"], true, { tags: ["C"], tagsVisible: true, tagsShown: true }],
    [
      "an empty list counts while tags are visible",
      [],
      true,
      { tags: [], tagsVisible: true, tagsShown: true },
    ],
    [
      "a response without tags keeps the recorded ones",
      undefined,
      true,
      { tags: ["A", "B"], tagsVisible: true, tagsShown: false },
    ],
    [
      "an empty list says nothing once they were hidden",
      [],
      false,
      { tags: ["A", "B"], tagsVisible: false, tagsShown: false },
    ],
    ["tags that show again count again", ["C"], false, { tags: ["C"], tagsVisible: true, tagsShown: true }],
  ])("%s", (_, tags, tagsVisible, expected) => {
    const { live: seen, ...others } = withHiddenTags({ ...live, tags }, { ...state, tagsVisible });
    expect({ tags: seen.tags, ...others }).toEqual(expected);
  });
});

describe("the patch", () => {
  const patch = (
    inputs: ProjectInputs,
    now: LiveProject | undefined = live,
    foreignTags: readonly string[] = [],
  ) => toPatch(now, inputs, { isIgnored: nothingIgnored, foreignTags });

  test.each<[string, ProjectInputs, object]>([
    ["is empty when all is as declared, in any order", { name: "payments", tags: ["B", "A"] }, {}],
    [
      "holds a property that differs, and only that",
      { name: "orders", tags: ["A", "B"] },
      { name: "orders" },
    ],
    ["holds the whole list where one tag differs", { tags: ["A", "C"] }, { tags: ["A", "C"] }],
    ["clears with an empty list", { tags: [] }, { tags: [] }],
    ["leaves what is not declared alone", {}, {}],
    ["leaves what is not known alone", { name: UNKNOWN, tags: ["A", UNKNOWN as unknown as string] }, {}],
    ["needs no write to have no mappings where there are none", { ldapGroupMappings: [] }, {}],
  ])("%s", (_, inputs, expected) => {
    expect(patch(inputs)).toEqual(expected);
  });

  test("keeps the tags of others in the list it sends", () => {
    const now = { ...live, tags: ["A", "K8S"] };
    expect(patch({ tags: ["A", "B"] }, now, ["K8S"])).toEqual({ tags: ["A", "B", "K8S"] });
    expect(patch({ tags: ["A"] }, now, ["K8S"])).toEqual({});
    expect(patch({ tags: [] }, now, ["K8S"])).toEqual({ tags: ["K8S"] });
  });

  test("holds every declared property where the service cannot be looked at", () => {
    const inputs = { name: "payments", tags: ["A", "B"], ldapGroupMappings: [] };
    expect(toPatch(undefined, inputs, { isIgnored: nothingIgnored, foreignTags: [] })).toEqual(inputs);
  });

  test("never holds what ignoreChanges names", () => {
    const inputs = { name: "orders", tags: ["C"], ldapGroupMappings: [mapping("R", "g")] };
    const isIgnored = (property: string) => property !== "name";
    expect(toPatch(live, inputs, { isIgnored, foreignTags: [] })).toEqual({ name: "orders" });
  });
});

describe("two lists of mappings", () => {
  test.each([
    [
      "in another order are the same",
      [mapping("A", "x", "y"), mapping("B", "z")],
      [mapping("B", "z"), mapping("A", "y", "x")],
      true,
    ],
    ["that are empty are the same", [], [], true],
    ["with another group differ", [mapping("A", "x")], [mapping("A", "y")], false],
    ["with one more group differ", [mapping("A", "x")], [mapping("A", "x", "y")], false],
    ["with another role differ", [mapping("A", "x")], [mapping("B", "x")], false],
    ["with one more role differ", [mapping("A", "x")], [mapping("A", "x"), mapping("B", "x")], false],
    [
      "of which one has a role twice differ",
      [mapping("A", "x")],
      [mapping("A", "x"), mapping("A", "x")],
      false,
    ],
    [
      "that both have a role twice differ, so the next update corrects it",
      [mapping("A", "x"), mapping("A", "x")],
      [mapping("A", "x"), mapping("A", "x")],
      false,
    ],
  ])("%s", (_, one, other, expected) => {
    expect(managed.ldapGroupMappings.same(one, other)).toBe(expected);
    expect(managed.ldapGroupMappings.same(other, one)).toBe(expected);
  });
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

  test.each([
    ["tags were sent and none came back", { tags: ["A"] }, { ...live, tags: [] }, true],
    ["tags were sent and the field is missing", { tags: [] }, { ...live, tags: undefined }, true],
    ["tags were cleared and none came back", { tags: [] }, { ...live, tags: [] }, false],
    ["other tags came back", { tags: ["C"] }, live, false],
    ["mappings were sent and the field is missing", { ldapGroupMappings: [mapping("R", "g")] }, live, true],
    ["mappings were cleared and the field is missing", { ldapGroupMappings: [] }, live, false],
    [
      "other mappings came back",
      { ldapGroupMappings: [mapping("R", "g")] },
      { ...live, ldapGroupMappings: [mapping("S", "h")] },
      false,
    ],
    [
      "mappings were sent and none came back",
      { ldapGroupMappings: [mapping("R", "g")] },
      { ...live, ldapGroupMappings: [] },
      false,
    ],
    ["the name alone was sent", { name: "x" }, { ...live, tags: undefined }, false],
  ])("whether another look is needed when %s", (_, patch, response, expected) => {
    expect(lacksSent(patch, response)).toBe(expected);
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

  test("of a project that was moved outside Pulumi: the live organization is no change, the recorded one an update, a third a replace", () => {
    const home = "5f00000000000000000000b0";
    expect(drawn({ orgId }, { orgId: home })).toEqual([]);
    expect(drawn({ orgId: home }, { orgId: home })).toEqual(["update orgId"]);
    expect(drawn({ orgId: "5f00000000000000000000b2" }, { orgId: home })).toEqual(["replace update orgId"]);
  });

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
