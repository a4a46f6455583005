/** What has to be true of API keys, of their roles in projects, and of agent API keys after each command. */

import { type Declaration, type Recorded, unwrapped } from "../engine-model";
import type { Holds, Situation } from "./command";
import { API_KEY } from "./oracle";
import { ignores, isRecordOf, mayBeReplaced, textsIn } from "./records";
import { type ApiKeyView, accessEntries, hasRoles, type ServiceView, sameSet } from "./service-view";

/** The keys of either kind by id, with the project of an agent API key. */
const keysIn = ({ apiKeys, projects }: ServiceView): ReadonlyMap<string, string | undefined> =>
  new Map([
    ...[...apiKeys.keys()].map((key) => [key, undefined] as const),
    ...[...projects.values()].flatMap(({ id, agentKeys }) =>
      [...agentKeys.keys()].map((key) => [key, id] as const),
    ),
  ]);

const isOfKey = (type: string): boolean => type === "ApiKey" || type === "AgentApiKey";

export class KeyInvariants {
  /** Keys that a command lost, or that others made: no later command may delete them. */
  readonly #foreign: Set<string>;

  constructor(
    service: ServiceView,
    private readonly holds: Holds,
  ) {
    this.#foreign = new Set(keysIn(service).keys());
  }

  addForeign(id: string): void {
    this.#foreign.add(id);
  }

  import(id: string): void {
    this.#foreign.delete(id);
  }

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    const { before, after, stateBefore } = situation;
    this.#checkDeleted(situation);
    this.#checkNew(situation);
    for (const key of before.apiKeys.values()) {
      const now = after.apiKeys.get(key.id);
      if (now !== undefined) this.#checkKey(key, now, situation);
    }
    for (const record of stateBefore) this.#checkWorking(record, situation);
  }

  #checkDeleted({ before, after, stateBefore }: Situation): void {
    const has = keysIn(after);
    for (const [id, projectId] of keysIn(before)) {
      if (has.has(id) || (projectId !== undefined && !after.projects.has(projectId))) continue;
      const isOwn = stateBefore.some(
        ({ type, outputs }) => isOfKey(type) && outputs.keyId === id && outputs.onDestroy === "remove",
      );
      this.holds("only keys of this stack are deleted", isOwn && !this.#foreign.has(id), () => id);
    }
  }

  #checkNew({ before, after, result, texts, isInterrupted }: Situation): void {
    const had = keysIn(before);
    const words = [...texts, ...result.failures.map(({ message }) => message)].join("\n");
    for (const [id, projectId] of keysIn(after)) {
      if (had.has(id) || result.state.some(({ outputs }) => outputs.keyId === id)) continue;
      this.#foreign.add(id);
      // The service makes a key of its own for a new project.
      if (projectId !== undefined && !before.projects.has(projectId)) continue;
      // An interruption may also end the read that would name it.
      this.holds("a key that is not recorded is named", isInterrupted || words.includes(id), () => id);
    }
  }

  /** The state has the private key, so programs use it. Only a change of the program is a reason for another key. */
  #checkWorking(record: Recorded, { before, result, program }: Situation): void {
    const { type, outputs, inputs, pendingDelete } = record;
    const key = before.apiKeys.get(String(outputs.keyId));
    const declared = program.find((one) => one.type === type && isRecordOf(one, record));
    const isWorking = key !== undefined && unwrapped(outputs.privateKey ?? null) === key.privateKey;
    if (type !== "ApiKey" || pendingDelete || !isWorking || declared === undefined) return;
    // `replaceOnChanges` of worlds names the roles.
    const roles = textsIn(inputs, "roles");
    const isChanged = !sameSet(roles, textsIn(declared.inputs, "roles")) || !hasRoles(key.orgRoles, roles);
    const isWanted = declared.inputs.orgId !== inputs.orgId || (mayBeReplaced(declared) && isChanged);
    const now = result.state.find(
      (one) => one.type === type && one.name === declared.name && !one.pendingDelete,
    );
    const stays = now === undefined || now.outputs.keyId === key.id;
    this.holds(
      "a key that works is not replaced",
      stays || isWanted,
      () => `${declared.name}: ${key.id} became ${now?.outputs.keyId}`,
    );
  }

  #checkKey(was: ApiKeyView, is: ApiKeyView, { stateBefore, result, after }: Situation): void {
    const records = [...stateBefore, ...result.state].filter(({ outputs }) => outputs.keyId === was.id);
    const ofKind = (type: string) => records.filter((record) => record.type === type);
    const isOwn = was.publicKey === API_KEY;
    const isSame =
      was.description === is.description &&
      sameSet(was.orgRoles, is.orgRoles) &&
      sameSet(was.accessList, is.accessList);
    this.holds(
      "only declared keys change",
      isSame || (!isOwn && ofKind("ApiKey").length > 0),
      () => was.description,
    );
    for (const projectId of new Set([...was.projectRoles.keys(), ...is.projectRoles.keys()])) {
      const [had, has] = [was, is].map(({ projectRoles }) => projectRoles.get(projectId) ?? []);
      // A key that may only create projects owns those that it created.
      if (sameSet(had ?? [], has ?? []) || isOwn || !after.projects.has(projectId)) continue;
      const isDeclared = ofKind("ProjectApiKey").some(({ outputs }) => outputs.projectId === projectId);
      this.holds(
        "a key in a project changes only as declared",
        isDeclared,
        () => `${was.description}: ${had} became ${has}`,
      );
    }
  }

  /** After a successful `up`, what the declaration describes exists. */
  checkTrue(declaration: Declaration, recorded: Recorded | undefined, service: ServiceView): void {
    const { name, type, inputs } = declaration;
    const outputs = unwrapped(recorded?.outputs ?? {}) as Record<string, string>;
    const key = service.apiKeys.get(outputs.keyId ?? "");
    const roles = textsIn(inputs, "roles");
    const hasDescription = (live: string | undefined) =>
      ignores(declaration, "description") || live === inputs.description;
    const project = service.projects.get(outputs.projectId ?? "");
    const isTrue =
      type === "ApiKey"
        ? key !== undefined &&
          hasDescription(key.description) &&
          (ignores(declaration, "roles") || hasRoles(key.orgRoles, roles))
        : type === "AgentApiKey"
          ? // Any description means an imported key that has none.
            project?.agentKeys.get(outputs.keyId ?? "") === "" ||
            hasDescription(project?.agentKeys.get(outputs.keyId ?? ""))
          : // The ApiKey left the program, and this up deleted it last.
            key === undefined ||
            ignores(declaration, "roles") ||
            sameSet(key.projectRoles.get(outputs.projectId ?? "") ?? [], roles);
    this.holds("a successful up makes everything true", isTrue, () => `${name}: ${JSON.stringify(outputs)}`);
    if (type !== "ApiKey" || key === undefined || inputs.accessList === undefined) return;
    if (ignores(declaration, "accessList")) return;
    const entries = accessEntries(textsIn(inputs, "accessList").map((entry) => entry.toLowerCase()));
    this.holds(
      "the access list of a key is the declared one",
      sameSet(key.accessList, entries),
      () =>
        `${name}: ${key.accessList.join(", ") || "no entry"}, declared ${entries.join(", ") || "no entry"}`,
    );
  }
}
