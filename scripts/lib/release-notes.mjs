import { Failure } from "./script.mjs";

/**
 * The part of the changelog about one version, without its heading. Before the version has a heading of its own, the
 * part about what is unreleased stands for it.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {{ isTagged?: boolean }} [options] a tagged version must have a heading
 */
export function releaseNotes(changelog, version, { isTagged = false } = {}) {
  const chapters = changelog.split(/^## /m).slice(1);
  const find = (/** @type {string} */ title) =>
    chapters.find((chapter) => /^\S+/.exec(chapter)?.[0] === title);
  const chapter = find(version) ?? (isTagged ? undefined : find("Unreleased"));
  if (chapter !== undefined) return `${chapter.slice(chapter.indexOf("\n")).trim()}\n`;
  throw new Failure(
    `CHANGELOG.md has no heading \`## ${version}\`. Rename \`## Unreleased\` and add a new one above.`,
  );
}
