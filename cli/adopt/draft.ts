/**
 * Drafts and checks one file before it is written. One file that the program rejects would stop it, and the next
 * `adopt`, for all files. Anyone who may invite someone can put a name into a project that no file can declare. Such a
 * part is left out and named.
 */
import { checkFile, type DeclaredFile } from "../../projects/declared-file";
import type { Fault } from "../../projects/faults";
import { parseSource } from "../../projects/source";
import { foldName } from "../../provider/access/person";
import { inOrder } from "../../provider/resources/contract/values";
import type { ImportEntry } from "../lib/import-list";
import {
  type AdoptedKind,
  alone,
  type Content,
  keyName,
  namesIn,
  namesOfKeys,
  type Part,
  teamKey,
  without,
} from "./contents";
import { fileText } from "./file-text";
import type { Access, AccessPerson, NewFile } from "./objects";

export interface FileText {
  /** The path as given on the command line. */
  readonly path: string;
  readonly text: string;
}

/** Where a new file is written, and what it need not say. */
export interface FilePlace {
  readonly path: string;
  readonly schema: string | undefined;
  readonly inheritsOrganization: boolean;
}

export interface Omission {
  readonly part: Part;
  readonly reasons: readonly string[];
}

export interface Draft<File extends DeclaredFile = DeclaredFile> {
  readonly of: NewFile;
  readonly noun: string;
  readonly file: FileText;
  /** What the program would load; `undefined` if it would reject the file. */
  readonly declared: File | undefined;
  readonly omitted: readonly Omission[];
  /** Why no file can declare the object. */
  readonly reasons: readonly string[];
  /** There is nothing to declare, so there is no file. */
  readonly isEmpty: boolean;
  readonly named: Named;
  /** What invitations offer to people of the file beside the roles in it. */
  readonly offers: readonly Pick<AccessPerson, "username" | "roles">[];
  readonly entries: readonly ImportEntry[];
  /** The same draft without a part. */
  leaveOut(omission: Omission): Draft<File>;
  /** The same draft, of which there will be no file. */
  refused(reasons: readonly string[]): Draft<File>;
  /** The same draft, which lists the object completely. */
  completed(complete: string): Draft<File>;
}

/** Whom and what a file names, for the summary: several files may name the same. */
export interface Named {
  readonly people: readonly string[];
  readonly invited: readonly string[];
  /** By their IDs, as the keys. */
  readonly teams: readonly string[];
  readonly keys: readonly string[];
}

interface DraftFacts<File extends DeclaredFile> {
  readonly kind: AdoptedKind<File>;
  readonly of: NewFile;
  readonly access: Access;
  readonly place: FilePlace;
}

export function draftOf<File extends DeclaredFile>(facts: DraftFacts<File>): Draft<File> {
  const { kind, of, access } = facts;
  const content = kind.content(of.object, access);
  if (checked(facts, content).faults.length === 0) return drafted(facts, content, []);
  const parts = kind.parts(content);
  const omitted = parts.flatMap((part) => {
    const reasons = reasonsOf(checked(facts, alone(content, part, parts)).faults);
    return reasons.length === 0 ? [] : [{ part, reasons }];
  });
  return drafted(
    facts,
    omitted.reduce((left, { part }) => without(left, part), content),
    omitted,
  );
}

function drafted<File extends DeclaredFile>(
  facts: DraftFacts<File>,
  content: Content,
  omitted: readonly Omission[],
): Draft<File> {
  const { kind, of, access, place } = facts;
  const { declared, faults } = checked(facts, content);
  const reasons = reasonsOf(faults);
  const isEmpty = !kind.isNamed && Object.keys(content).length === 0;
  const draft: Draft<File> = {
    of,
    noun: kind.files.noun,
    isEmpty,
    file: { path: place.path, text: textOf(facts, content, place.inheritsOrganization) },
    declared,
    omitted,
    reasons: isEmpty ? [] : reasons,
    named: namedIn(facts, content),
    offers: offersTo(facts, content),
    entries: declared === undefined ? [] : kind.entries(declared, of.object, access, () => undefined),
    leaveOut: (omission) => drafted(facts, without(content, omission.part), [...omitted, omission]),
    refused: (why) => ({ ...draft, declared: undefined, entries: [], reasons: why }),
    completed: (complete) => drafted(facts, { complete, ...content }, omitted),
  };
  return draft;
}

function textOf<File extends DeclaredFile>(
  { kind, of: file, access, place: { schema } }: DraftFacts<File>,
  content: Content,
  inheritsOrganization: boolean,
): string {
  return fileText(kind, { file, content, access, schema, inheritsOrganization });
}

/** As the program checks the file, with its organization in it. */
function checked<File extends DeclaredFile>(
  facts: DraftFacts<File>,
  content: Content,
): { readonly declared?: File; readonly faults: readonly Fault[] } {
  const { kind, of, place } = facts;
  const source = parseSource(place.path, Buffer.from(textOf(facts, content, false)), kind.files);
  if (source.content === undefined) return { faults: source.faults };
  const draft = { file: place.path, defaultKey: of.key, content: source.content, isComplete: true };
  const { checked: declared, faults } = checkFile(kind.files, draft);
  const all = [...source.faults, ...faults];
  return { ...(declared && all.length === 0 && { declared }), faults: all };
}

function reasonsOf(faults: readonly Fault[]): string[] {
  return [...new Set(faults.map(({ reason }) => reason))];
}

function offersTo<File extends DeclaredFile>(
  { access: { people = [] } }: DraftFacts<File>,
  { members }: Content,
): Draft["offers"] {
  const written = new Set(namesIn(members));
  return people.flatMap(({ username, roles, invitations = [] }) => {
    const offered = new Set(invitations.flatMap((invitation) => invitation.roles));
    const others = [...offered].filter((role) => !roles.includes(role)).sort(inOrder);
    return written.has(username) && others.length > 0 ? [{ username, roles: others }] : [];
  });
}

function namedIn<File extends DeclaredFile>(
  { kind, of, access: { people = [], teams = [], keys = [] } }: DraftFacts<File>,
  content: Content,
): Named {
  const isNamed = new Set(namesIn(content.members).map(foldName));
  const usernames = Array.isArray(content.usernames) ? content.usernames.map(String) : [];
  const pending = people.filter(
    ({ username, status }) => status === "pending" && isNamed.has(foldName(username)),
  );
  const ofKeys = [...namesIn(content.apiKeys), ...namesIn(content.externalApiKeys)];
  const isKeyNamed = kind.isNamed
    ? keys.filter((key) => ofKeys.includes(keyName(key)))
    : [...namesOfKeys(keys)].flatMap(([name, key]) => (ofKeys.includes(name) ? [key] : []));
  const ofTeams = [...namesIn(content.teams), ...namesIn(content.externalTeams)];
  return {
    people: [...isNamed, ...usernames.map(foldName)],
    invited: pending.map(({ username }) => foldName(username)),
    teams: [
      ...(kind.files.noun === "team" ? [of.object.id] : []),
      ...teams.filter((team) => ofTeams.includes(teamKey(team))).map(({ teamId }) => teamId.toLowerCase()),
    ],
    keys: isKeyNamed.map(({ keyId }) => keyId),
  };
}
