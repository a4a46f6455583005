/** Which PATCH an update of a project sends, and which update is refused. */
import { ROLE_TO_SEE_TAGS } from "../../../../provider/api/hints";
import { UNKNOWN } from "../../../../provider/resources/contract/values";
import type { ProjectInputs } from "../../../../provider/resources/project/inputs";
import { managed } from "../../../../provider/resources/project/managed";
import {
  type LiveProject,
  type ProjectState,
  withHiddenTags,
} from "../../../../provider/resources/project/state";
import { planPatch } from "../../../../provider/resources/project/update";
import { RefusedError } from "../../../../provider/text/errors";

const projectId = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const live: LiveProject = { projectId, orgId, name: "payments", tags: ["A", "K8S"] };
const shown = { live, tagsVisible: true, tagsShown: true };

/** The PATCH, or the text of the refusal. */
function planned(...plan: Parameters<typeof planPatch>): unknown {
  try {
    return planPatch(...plan);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return error.message;
  }
}

const tags = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test.each<[string, ProjectInputs, ProjectInputs, object]>([
  ["keeps the tags that the patterns match", { tags: ["B"], ignoreTags: ["K*"] }, {}, { tags: ["B", "K8S"] }],
  [
    "keeps the tags that only the old patterns match",
    { tags: ["B"], ignoreTags: ["X*"] },
    { ignoreTags: ["K*"] },
    { tags: ["B", "K8S"] },
  ],
  ["removes tags that no pattern matches", { tags: ["B"] }, {}, { tags: ["B"] }],
  [
    "removes tags while the patterns are not known",
    { tags: ["B"], ignoreTags: UNKNOWN },
    {},
    { tags: ["B"] },
  ],
  ["is empty without declared values", {}, { tags: ["A"], ignoreTags: ["K*"] }, {}],
])("the PATCH of an update %s", (_, inputs, oldInputs, patch) => {
  expect(planned(shown, inputs, oldInputs)).toEqual(patch);
});

describe("tags of others that the provider cannot see", () => {
  const hidden = { live: { ...live, tags: undefined }, tagsVisible: true, tagsShown: false };
  const unread = { ...hidden, live: undefined };
  const recordedAsHidden = { live: { ...live, tags: ["A"] }, tagsVisible: false, tagsShown: false };
  const ours = { tags: ["A"], ignoreTags: ["K*"] };
  const byKey = `ignoreTags cannot be applied: the service shows no tags to these credentials, so writing tags would remove those of others. Use credentials with ${ROLE_TO_SEE_TAGS}, or remove tags from the program.`;
  const byService =
    "ignoreTags cannot be applied: this service does not offer reading a project (GET /groups/{id}), so writing tags would remove those of others. Remove tags or ignoreTags from the program. If it is a complete Ops Manager or Cloud Manager, check baseUrl.";

  test.each<[string, Parameters<typeof planPatch>[0], ProjectInputs, ProjectInputs, string]>([
    ["with these credentials", hidden, ours, {}, byKey],
    ["because the service does not offer it", unread, ours, {}, byService],
    ["and only the old patterns protect", hidden, { tags: ["A"] }, { ignoreTags: ["K*"] }, byKey],
    ["although the declared tags are as recorded", recordedAsHidden, ours, {}, byKey],
    [
      "although the recorded tags have one of others",
      { ...recordedAsHidden, live, tagsVisible: true },
      ours,
      {},
      byKey,
    ],
  ])("are not overwritten if they cannot be seen %s", (_, observed, inputs, oldInputs, refusal) => {
    expect(planned(observed, inputs, oldInputs)).toBe(refusal);
  });

  test.each<[string, Parameters<typeof planPatch>[0], ProjectInputs, ProjectInputs, object]>([
    ["no pattern protects them", hidden, { tags: ["A"] }, {}, { tags: ["A"] }],
    [
      "the program declares no tags",
      recordedAsHidden,
      { ignoreTags: ["K*"], name: "orders" },
      {},
      { name: "orders" },
    ],
    [
      "the patterns have left the program, and the declared tags are as recorded",
      recordedAsHidden,
      { tags: ["A"] },
      { ignoreTags: ["K*"] },
      {},
    ],
    [
      "the declared tags are as recorded, and were visible then",
      { ...recordedAsHidden, tagsVisible: true },
      ours,
      {},
      {},
    ],
  ])("do not prevent an update if %s", (_, observed, inputs, oldInputs, patch) => {
    expect(planned(observed, inputs, oldInputs)).toEqual(patch);
  });

  test("do not prevent an update for which ignoreChanges names tags", () => {
    expect(planned(recordedAsHidden, { ...ours, name: "orders" }, {}, (name) => name === "tags")).toEqual({
      name: "orders",
    });
  });
});

test.each([
  { response: "without tags", tags: undefined, tagsVisible: true, keeps: true },
  { response: "with no tag, after they were hidden", tags: [], tagsVisible: false, keeps: true },
  { response: "with no tag, while they are visible", tags: [], tagsVisible: true, keeps: false },
  { response: "with tags, after they were hidden", tags: ["C"], tagsVisible: false, keeps: false },
])("a response $response keeps the recorded ones: $keeps", ({ tags: shownTags, tagsVisible, keeps }) => {
  const recorded: ProjectState = { ...live, origin: "created", onDestroy: "delete", tagsVisible };
  const { live: seen, ...others } = withHiddenTags({ ...live, tags: shownTags }, recorded);
  expect({ tags: seen.tags, ...others }).toEqual(
    keeps
      ? { tags: live.tags, tagsVisible, tagsShown: false }
      : { tags: shownTags, tagsVisible: true, tagsShown: true },
  );
});

describe("the limit of 10 tags for a project", () => {
  const withTags = (...all: string[]) => ({ ...shown, live: { ...live, tags: all } });

  test("includes the tags that ignoreTags keeps, and the error lists both", () => {
    const inputs = { tags: tags("T", 8), ignoreTags: ["K*"] };
    expect(planned(withTags("K1", "K2", "K3"), inputs)).toBe(
      "The project would have 11 tags, more than the 10 that the service allows: the program declares T0, T1, T2, T3, T4, T5, T6, T7, and ignoreTags keeps K1, K2, K3.",
    );
    expect(planned(withTags("K1", "K2"), inputs)).toEqual({ tags: ["K1", "K2", ...tags("T", 8)] });
  });

  test("counts a tag once that the program declares and its old patterns kept", () => {
    const declared = ["K1", ...tags("T", 9)];
    expect(planned(withTags("K1"), { tags: declared }, { ignoreTags: ["K*"] })).toEqual({ tags: declared });
  });

  test("does not prevent the removal of all declared tags, nor an update that writes no tags", () => {
    const theirs = tags("K", 11).sort();
    expect(planned(withTags(...theirs, "T0"), { tags: [], ignoreTags: ["K*"] })).toEqual({ tags: theirs });
    expect(planned(withTags(...theirs, "T0"), { tags: ["T0"], ignoreTags: ["K*"], name: "orders" })).toEqual({
      name: "orders",
    });
  });
});

test("what a PATCH takes away is said by name: a group that moves to another role is taken from the first one", () => {
  const mapping = (roleName: string, ...ldapGroups: string[]) => ({ roleName, ldapGroups });
  const ldapGroupMappings = [mapping("GROUP_OWNER", "a", "b"), mapping("GROUP_READ_ONLY", "c")];
  const now = { ...live, ldapGroupMappings };
  const moved = { ldapGroupMappings: [mapping("GROUP_OWNER", "b", "c")] };
  expect(managed.overwrites({ name: "orders", tags: ["B", "K8S"], ...moved }, now)).toEqual([
    'name "payments" becomes "orders"',
    'tag "A" is removed',
    'GROUP_OWNER is no longer mapped to "a"',
    'GROUP_READ_ONLY is no longer mapped to "c"',
  ]);
  // What the response does not show is not named.
  expect(managed.overwrites({ tags: ["C"], ldapGroupMappings: [] }, { ...live, tags: undefined })).toEqual(
    [],
  );
});
