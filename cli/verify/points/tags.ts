/** Tags of a throw-away project: who may write and see them, and their rules. */

import { type ApiResponse, listEntries } from "../service";
import type { Trial } from "../trial";
import { codeAmong, good, InconclusiveResponse, Undetermined, valueByCode } from "../undetermined";
import type { Points } from "./point";
import { patch, readProjectFields, samePatch, theProject } from "./project";
import { requireOrganizationKey } from "./reading";

const writeFirstTag = (trial: Trial): Promise<ApiResponse> => patch(trial, { tags: [trial.tag("A")] });

async function shownTags(trial: Trial): Promise<readonly unknown[]> {
  const { tags } = await readProjectFields(trial);
  return Array.isArray(tags) ? tags : [];
}

async function firstTagIsShown(trial: Trial): Promise<boolean> {
  const tag = trial.tag("A");
  good(await trial.run(writeFirstTag));
  return (await shownTags(trial)).includes(tag);
}

async function requireShownTags(trial: Trial): Promise<void> {
  if (await trial.run(firstTagIsShown)) return;
  throw new Undetermined("The service does not show the tags to these credentials.");
}

async function tagsWithoutGlobalRole(trial: Trial): Promise<string> {
  await theProject(trial);
  await requireOrganizationKey(trial);
  // A key that may not change the project at all shows nothing about tags.
  await trial.run(samePatch);
  const written = await trial.run(writeFirstTag);
  if (written.isRefused) return "refuse";
  if (!written.isGood) throw new InconclusiveResponse(written);
  return (await trial.run(firstTagIsShown)) ? "allow" : "hide";
}

async function tagFilter(trial: Trial): Promise<string> {
  const { id } = await theProject(trial);
  await requireShownTags(trial);
  const [has, hasNot] = [trial.tag("A"), trial.tag("B")];
  const lists = async (...tags: readonly string[]) => {
    const response = await trial.read(["groups"], { query: { tag: tags } });
    return listEntries(good(response).body).some((project) => project.id === id);
  };
  if (!(await lists(has)) || (await lists(hasNot))) {
    throw new Undetermined("The list is not filtered by one tag.");
  }
  return (await lists(has, hasNot)) ? "any" : "all";
}

async function lowerCaseTags(trial: Trial): Promise<string> {
  good(await trial.run(writeFirstTag));
  const tag = trial.tag("a").toLowerCase();
  const response = await patch(trial, { tags: [tag] });
  if (!response.isGood) return valueByCode(response, { INVALID_GROUP_TOKEN: "refuse" });
  await requireShownTags(trial);
  const tags = await shownTags(trial);
  if (tags.includes(tag)) return "keep";
  if (tags.includes(tag.toUpperCase())) return "upper";
  throw new Undetermined("The tag is shown in neither case.");
}

async function tooManyTags(trial: Trial): Promise<string> {
  const tags = Array.from({ length: 11 }, (_, index) => trial.tag(`N${index}`));
  good(await trial.run(writeFirstTag));
  return codeAmong(await patch(trial, { tags }), ["TOO_MANY_GROUP_TOKENS", "TOO_MANY_GROUP_TAGS"]);
}

export const tagPoints: Points = {
  tagsWithoutGlobalRole: ["PATCH /groups/{id} with a tag, then GET /groups/{id}", tagsWithoutGlobalRole],
  tagFilter: ["GET /groups?tag=A&tag=B, where the throw-away project has A only", tagFilter],
  lowerCaseTags: ["PATCH /groups/{id} with a tag in lower case, then GET /groups/{id}", lowerCaseTags],
  tooManyTags: ["PATCH /groups/{id} with eleven tags", tooManyTags],
};
