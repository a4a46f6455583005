import { parser, Release } from "keep-a-changelog";
import { Failure } from "./script.mjs";

/**
 * CHANGELOG.md, in the form of keepachangelog.com.
 *
 * @param text @throws with the line of the first content that is not in that form
 */
function parse(text: string) {
  const changelog = parser(text);
  changelog.format = "markdownlint";
  return changelog;
}

/** The changelog in the form in which a release writes it. */
export function formatted(text: string) {
  return parse(text).toString();
}

/**
 * The part of the changelog about one version, without its heading. Before the version has a heading of its own, the
 * part about what is unreleased stands for it.
 */
export function releaseNotes(text: string, version: string) {
  const changelog = parse(text);
  const release = changelog.findRelease(version) ?? changelog.findRelease();
  if (release === undefined) throw new Failure(missingHeading(version));
  const notes = release.toString(changelog);
  return `${notes.slice(notes.indexOf("\n")).trim()}\n`;
}

/** Why a version cannot be tagged yet: it has no heading. */
export function faultsOfHeading(text: string, version: string) {
  return parse(text).findRelease(version) ? [] : [missingHeading(version)];
}

function missingHeading(version: string) {
  return `CHANGELOG.md has no heading \`## ${version}\`. Run \`npm version ${version} --no-git-tag-version --allow-same-version\`.`;
}

/** The changelog in which what is unreleased became a version, with an empty part above it for the next changes. */
export function withRelease(text: string, version: string, date: Date) {
  const changelog = parse(text);
  const release = changelog.findRelease();
  if (release === undefined || release.isEmpty())
    throw new Failure("CHANGELOG.md has no changes below `## Unreleased`, so there is nothing to release.");
  if (changelog.findRelease(version) !== undefined)
    throw new Failure(`CHANGELOG.md has the version ${version} already.`);
  release.setVersion(version);
  release.setDate(date);
  return changelog.addRelease(new Release()).toString();
}
