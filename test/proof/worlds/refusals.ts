/** Refusals that docs/ describes: an `up` that nothing disturbed may end with one of these, and with no other failure. */
import type { Declaration, OperationResult } from "../engine-model";
import type { Situation } from "./command";
import { FOREIGN_KEY } from "./kinds";
import { declaredBelow, deletionOf, livePlaces } from "./places";
import { identitiesIn, ignores, isEndRecorded, isRecordOf, mayBeReplaced, peopleIn } from "./records";
import { accountNamed, ownersOf, type ServiceView } from "./service-view";

export interface RefusedRun extends Situation {
  /** An account has another name than at first. */
  readonly isRenamed: boolean;
  /** Resources with a name that nobody means. */
  readonly misspelled: readonly string[];
  /** Whether the resource exists, and takes only away: everyone whom it declares has at least the declared roles already. */
  onlyLoses(resource: string): boolean;
}

type Failure = OperationResult["failures"][number];

interface Refusal {
  readonly text: RegExp;
  /** Default: always. */
  applies?(run: RefusedRun, failure: Failure): boolean;
}

const declarationOf = ({ program }: RefusedRun, { name }: Failure): Declaration | undefined =>
  program.find((one) => one.name === name);

const recordsOf = (run: RefusedRun, failure: Failure) => {
  const named = declarationOf(run, failure) ?? { name: failure.name, aliases: [] };
  return run.stateBefore.filter((one) => isRecordOf(named, one));
};

const recordOf = (run: RefusedRun, failure: Failure) => recordsOf(run, failure)[0];

/** Whether the program leaves the property of the resource to others. */
const isIgnored = (run: RefusedRun, failure: Failure, property: string): boolean => {
  const declaration = declarationOf(run, failure);
  return declaration !== undefined && ignores(declaration, property);
};

/** Whether the account is recorded by a resource with a misspelled name: that keeps what it declared last from what would end it. */
const isHeldByFaulty = ({ misspelled, stateBefore }: RefusedRun, account: string): boolean =>
  stateBefore
    .filter(({ name }) => misspelled.includes(name))
    .flatMap((record) => [record.outputs, ...peopleIn(record)])
    .some(({ userId }) => userId === account);

const refusals: readonly Refusal[] = [
  { text: /./, applies: ({ misspelled }, { name }) => misspelled.includes(name) },
  // The deletion of the resource would take something away that the program declares below.
  {
    text: /./,
    applies: (run, failure) =>
      recordsOf(run, failure)
        .flatMap((record) => deletionOf(record, run.before) ?? [])
        .some((deletion) => declaredBelow(deletion, run, false).length > 0),
  },
  // The same for the end of an access to the organization.
  {
    text: /this run still declares access that would end with it|stays in organization \w+( \(".*"\))? for now/,
    applies: (run, { message, during }) => {
      // A deletion comes after the whole program.
      if (/for now/.test(message) && during === "delete") return false;
      const account = accountNamed(run.before, message.split(" ", 1)[0] ?? "");
      if (account === undefined || /for now/.test(message))
        return account === undefined || livePlaces(account, run.before).length > 0;
      return (
        declaredBelow({ of: "person", id: account }, run, false).length > 0 || isHeldByFaulty(run, account)
      );
    },
  },
  // Two Projects of the program have one name.
  {
    text: /./,
    applies: ({ program }, { name }) => {
      const named = program.filter(({ type, inputs }) => type === "Project" && inputs.name !== undefined);
      const own = named.find((one) => one.name === name);
      return named.some((other) => other !== own && own?.inputs.name === other.inputs.name);
    },
  },
  { text: /last (direct )?owner|only owner|no direct owner would be left/, applies: mayLoseLastOwner },
  {
    text: /none of the groups that own the organization would remain/,
    applies: (run, failure) => {
      const owning = run.before.orgFields.groups.filter(({ role }) => role === "ORG_OWNER");
      const names = owning.filter(({ property }) => property === "idpGroupMappings").map(({ name }) => name);
      const declared = JSON.stringify(declarationOf(run, failure)?.inputs.idpGroupMappings ?? []);
      return names.length > 0 && !names.some((name) => declared.includes(`"${name}"`));
    },
  },
  {
    text: /maxRemovals/,
    applies: (run, failure) => {
      const [record, declaration] = [recordOf(run, failure), declarationOf(run, failure)];
      // The one that replaces a list has recorded no day.
      const isNew = declaration !== undefined && mayBeReplaced(declaration);
      // A replacement that deletes first knows only whose access had ended by the record.
      const isKnown = (person: string | undefined) =>
        !/destroy again/.test(failure.message) || (record !== undefined && isEndRecorded(record, person));
      const isCounted = run.plannedEnds.some(
        ({ resource, person }) =>
          resource === failure.name && failure.message.includes(person ?? "") && isKnown(person),
      );
      return run.isRenamed || isNew || !isCounted;
    },
  },
  {
    text: /already has (a (project|team)|\d+ (projects|teams)) named|has another (project|team) named/,
    applies: ({ before, after }, { message }) => {
      const [, noun, name] = /(project|team)s? named "([^"]+)"/.exec(message) ?? [];
      const table = noun === "team" ? "teams" : "projects";
      return [before, after].some((view) => [...view[table].values()].some((one) => one.name === name));
    },
  },
  { text: /is protected, and cannot be (deleted|replaced)/ },
  { text: /is already declared by |both declare people/, applies: hasRival },
  // An account had the name when the program was written.
  {
    text: /do not name the same person/,
    applies: (run, failure) => {
      const { userId, invitationId, username } = declarationOf(run, failure)?.inputs ?? {};
      return run.isRenamed && (userId ?? invitationId) !== undefined && username !== undefined;
    },
  },
  { text: /has LDAP group mappings/, applies: ({ onlyLoses }, { name }) => !onlyLoses(name) },
  { text: /two accounts of .* have had this name/, applies: ({ isRenamed }) => isRenamed },
  { text: /names one person of (project|team) .+ twice/, applies: ({ isRenamed }) => isRenamed },
  { text: /a member without roles cannot be added/ },
  {
    text: /these credentials may not read (the )?account/,
    applies: ({ world }) => world.keyRoles === "organization",
  },
  {
    text: /the API cannot move a project/,
    applies: ({ before, stateBefore }) =>
      stateBefore.some(
        ({ type, inputs, outputs }) =>
          type === "Project" && before.projects.get(String(outputs.projectId))?.orgId !== inputs.orgId,
      ),
  },
  // Somebody has moved the project away from the organization of the team.
  {
    text: /TEAM_NOT_IN_ORG|TEAM_NOT_FOUND/,
    applies: (run, failure) => {
      const declaration = declarationOf(run, failure);
      const project = run.before.projects.get((declaration && run.projectIdOf(declaration)) ?? "");
      return project !== undefined && project.orgId !== run.before.orgId;
    },
  },
  // The project is deleted, and the organization could not be read when the record was made: `pulumi state delete` is the way on.
  {
    text: /the record names no organization/,
    applies: ({ after, stateBefore }) =>
      stateBefore.some(
        ({ outputs: { projectId, orgId } }) => orgId === undefined && !after.projects.has(String(projectId)),
      ),
  },
  // Of teams and agent API keys.
  {
    text: /a project still has it|stays in team|has no (account with the name|team (.* that these credentials can see|with the id))/,
  },
  { text: /is renamed in this run/ },
  { text: /cannot be adopted, and nothing was written/ },
  { text: /CANNOT_REMOVE_LAST_USER_FROM_TEAM|TEAM_NAME_NOT_AVAILABLE/ },
  {
    text: /did not contain the private key/,
    applies: ({ world }) => world.switches.apiKeyInAnswer === false,
  },
  // The key of another program was deleted outside Pulumi.
  {
    text: /has no API key "theirkey"/,
    applies: ({ before }) => ![...before.apiKeys.values()].some(({ publicKey }) => publicKey === "theirkey"),
  },
  // The same, for a recorded ProjectApiKey: an update gives the recorded key its roles again, and the service has no such key.
  {
    text: new RegExp(`Giving API key ${FOREIGN_KEY.id} .*API_KEY_NOT_FOUND`),
    applies: (run, failure) => {
      const { type, inputs } = declarationOf(run, failure) ?? {};
      const isTheirs = type === "ProjectApiKey" && inputs?.publicKey === FOREIGN_KEY.publicKey;
      return isTheirs && !run.before.apiKeys.has(FOREIGN_KEY.id);
    },
  },
  {
    text: /Only Cloud Manager documents this operation/,
    applies: ({ world }) => world.switches.orgUserChanges !== "offered",
  },
  { text: /did not contain the key/, applies: ({ world }) => world.switches.agentKeyInAnswer === false },
  { text: /USER_UNAUTHORIZED/, applies: ({ world }) => world.switches.lastAgentKey === "keep" },
  // An imported key without a description cannot be created again, and no other key can get its inputs.
  {
    text: /description must not be empty/,
    applies: (run, failure) => {
      const { inputs, outputs } = recordOf(run, failure) ?? {};
      const project = run.before.projects.get(String(outputs?.projectId));
      return inputs?.description !== "" || !project?.agentKeys.has(String(outputs?.keyId));
    },
  },
  // A refresh found no declared person in the team, and the ignored list is the one of the team that replaces it.
  {
    text: /usernames must not be empty/,
    applies: (run, failure) => {
      const { teamId } = declarationOf(run, failure)?.inputs ?? {};
      const isReplaced = teamId !== undefined && teamId !== recordOf(run, failure)?.outputs.teamId;
      return isReplaced && isIgnored(run, failure, "usernames");
    },
  },
  // The ignored list lacks the person, and the last day is the one of the program.
  {
    text: /is the last day of somebody who is not in (members|usernames)/,
    applies: (run, failure) => isIgnored(run, failure, "members") || isIgnored(run, failure, "usernames"),
  },
  // The ignored value is that of a member whom the program gave by an id alone.
  {
    text: /roles is missing/,
    applies: (run, failure) =>
      recordOf(run, failure)?.inputs.roles === undefined && isIgnored(run, failure, "roles"),
  },
  // The host of dynamic providers does not refresh before an update.
  { text: /was deleted since it was recorded/, applies: ({ world }) => world.provider === "dynamic" },
  // The program has the ID of something that no longer exists.
  { text: /TEAM_NOT_FOUND|has no team/, applies: hasGoneId("teamId", "teams") },
  {
    text: /API_KEY_NOT_FOUND|has no API key/,
    applies: (run, failure) => {
      // A key whose last day is over takes its roles along.
      const { resource } = declarationOf(run, failure)?.references.keyId ?? {};
      const isEnded = resource !== undefined && !run.program.some(({ name }) => name === resource);
      return isEnded || hasGoneId("keyId", "apiKeys")(run);
    },
  },
  {
    text: /GROUP_NOT_FOUND|NOT_IN_GROUP|cannot read project|no longer exists/,
    applies: hasGoneId("projectId", "projects"),
  },
];

/** Whether a place that the message names, or else any, has no more than one direct owner who was one before as well. */
function mayLoseLastOwner({ before, after }: RefusedRun, { message }: Failure): boolean {
  const isFew = (owners: (view: ServiceView) => readonly string[]) => {
    const remaining = new Set(owners(after));
    return owners(before).filter((owner) => remaining.has(owner)).length <= 1;
  };
  const ofOrganization = ({ organization }: ServiceView) =>
    [...organization]
      .filter(([, { status, roles }]) => status === "active" && roles.includes("ORG_OWNER"))
      .map(([key]) => key);
  const ofProject = (id: string) => (view: ServiceView) => {
    const project = view.projects.get(id);
    return project === undefined ? [] : ownersOf(project);
  };
  const places = [
    [before.orgId, ofOrganization] as const,
    ...[...before.projects.keys(), ...after.projects.keys()].map((id) => [id, ofProject(id)] as const),
  ];
  const named = places.filter(([id]) => message.includes(id));
  return (named.length > 0 ? named : places).some(([, owners]) => isFew(owners));
}

/** Whether another resource of the program may mean the same object in the same place. */
function hasRival(run: RefusedRun, failure: Failure): boolean {
  const own = declarationOf(run, failure);
  if (own === undefined) return false;
  const kindOf = ({ type }: Declaration) => type.replace(/^ProjectMembers$/, "ProjectMember");
  const states = [...run.stateBefore, ...run.result.state];
  const identities = (one: Declaration) => {
    const records = states.filter((record) => isRecordOf(one, record));
    const referenced = Object.entries(one.references).flatMap(([input, { resource, output }]) =>
      states
        .filter(({ name }) => name === resource)
        .map(({ outputs }) => ({ [input]: outputs[output] ?? null })),
    );
    const recorded = records.flatMap(({ inputs, outputs }) => [inputs, outputs]);
    return identitiesIn([one.inputs, ...recorded, ...referenced], run);
  };
  const mine = identities(own);
  return run.program.some(
    (other) =>
      other !== own &&
      kindOf(other) === kindOf(own) &&
      // A Project that ignores changes of its name keeps the one of its record.
      (own.type === "Project" || run.projectIdOf(other) === run.projectIdOf(own)) &&
      (/both declare people/.test(failure.message) || [...identities(other)].some((one) => mine.has(one))),
  );
}

/** Whether the program has an ID as text that the service had not when the command began, or has not after it. */
function hasGoneId(input: string, table: "teams" | "apiKeys" | "projects") {
  return ({ before, after, whole }: RefusedRun): boolean =>
    whole.some(({ inputs: { [input]: id } }) => {
      if (typeof id !== "string") return false;
      return !before[table].has(id) || !after[table].has(id);
    });
}

export function isExpectedRefusal(failure: Failure, run: RefusedRun): boolean {
  return refusals.some(
    ({ text, applies }) => text.test(failure.message) && (applies?.(run, failure) ?? true),
  );
}
