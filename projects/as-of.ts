/** What in files ends. */

import { inOrder } from "../provider/resources/contract/values";
import { shortList } from "../provider/text/list";
import type { AccessFiles } from "./access-files";
import type { DeclaredFile } from "./declared-file";
import { type End, isOver } from "./ends";

/** An end as reports name it. */
interface NamedEnd {
  /** `project payments` */
  readonly place: string;
  readonly holder: string;
  readonly until: string;
}

/** More names would hide what else is said. */
const MOST_NAMED = 10;

/** Later days are in the files. */
const MOST_DAYS = 5;

/** `bob@example.com in project payments` */
function endText({ holder, place }: Pick<NamedEnd, "holder" | "place">): string {
  return `${holder} in ${place}`;
}

/** What has ended and what will, with its days, a sentence each. */
export function endSentences(ends: readonly NamedEnd[], now: Date): string[] {
  const days = (wanted: boolean) => {
    const own = Map.groupBy(
      ends.filter((end) => isOver(end, now) === wanted),
      ({ until }) => until,
    );
    const texts = [...own].map(([until, same]) => {
      return `after ${until}: ${shortList(same.map(endText), MOST_NAMED)}`;
    });
    return texts.length === 0 ? [] : [shortList(texts, MOST_DAYS, "; ")];
  };
  return [
    ...days(true).map((text) => `Access was to end ${text}.`),
    ...days(false).map((text) => `Access will end ${text}.`),
  ];
}

/** The ends of all entries, the next one first, without what ends with something else. */
export function endsIn({ projects, teams, organizations }: AccessFiles): NamedEnd[] {
  const named = (place: string, { ends = [] }: DeclaredFile) =>
    ends.filter(isOwn).map(({ name: holder, until }) => ({ place, holder, until }));
  return [
    ...projects.flatMap((file) => named(`project ${file.name}`, file)),
    ...teams.flatMap((file) => named(`team ${file.name}`, file)),
    ...organizations.flatMap((file) => named(`organization ${file.key}`, file)),
  ].sort((one, other) => inOrder(one.until, other.until));
}

function isOwn({ isOfKey = false }: End): boolean {
  return !isOfKey;
}
