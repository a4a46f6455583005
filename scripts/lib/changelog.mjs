import { parser, Release } from "keep-a-changelog";
import { Failure } from "./script.mjs";

/**
 * CHANGELOG.md, in the form of keepachangelog.com.
 *
 * @param {string} text
 * @throws with the line of the first content that is not in that form
 */
function parse(text) {
  const changelog = parser(text);
  changelog.format = "markdownlint";
  return changelog;
}

/** The changelog in the form in which a release writes it. @param {string} text */
export function formatted(text) {
  return parse(text).toString();
}

/**
 * The part of the changelog about one version, without its heading. Before the version has a heading of its own, the
 * part about what is unreleased stands for it.
 *
 * @param {string} text
 * @param {string} version
 */
export function releaseNotes(text, version) {
  const changelog = parse(text);
  const release = changelog.findRelease(version) ?? changelog.findRelease();
  if (release === undefined) throw new Failure(missingHeading(version));
  const notes = release.toString(changelog);
  return `${notes.slice(notes.indexOf("\n")).trim()}\n`;
}

/** Why a version cannot be tagged yet: it has no heading. @param {string} text @param {string} version */
export function faultsOfHeading(text, version) {
  return parse(text).findRelease(version) ? [] : [missingHeading(version)];
}

/** @param {string} version */
function missingHeading(version) {
  return `CHANGELOG.md has no heading \`## ${version}\`. Run \`npm version ${version} --no-git-tag-version --allow-same-version\`.`;
}

/**
 * The changelog in which what is unreleased became a version, with an empty part above it for the next changes.
 *
 * @param {string} text
 * @param {string} version
 * @param {Date} date
 */
export function withRelease(text, version, date) {
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
