/** What has to be true of API keys and of their roles in projects after each command. */

import { type Declaration, type Recorded, unwrapped } from "../engine-model";
import type { Holds } from "./command";
import { type ApiKeyView, accessEntries, hasRoles, type ServiceView, sameSet } from "./service-view";
import { isRecordOf, mayBeReplaced, type TeamSituation } from "./teams";

type Situation = Pick<
  TeamSituation,
  "before" | "after" | "stateBefore" | "result" | "texts" | "isInterrupted" | "program"
>;

export class KeyInvariants {
  /** Keys that a command lost, or that others made: no later command may delete them. */
  readonly #foreign: Set<string>;

  constructor(
    service: ServiceView,
    private readonly ownPublicKey: string,
    private readonly holds: Holds,
  ) {
    this.#foreign = new Set(service.apiKeys.keys());
  }

  /** What holds after every command, however it ended. */
  checkSafety(situation: Situation): void {
    const { before, after, stateBefore, result, texts, isInterrupted } = situation;
    for (const key of before.apiKeys.values()) this.#checkKey(key, after.apiKeys.get(key.id), situation);
    for (const record of stateBefore) this.#checkWorking(record, situation);
    const words = [...texts, ...result.failures.map(({ message }) => message)].join("\n");
    for (const { id, description } of after.apiKeys.values()) {
      if (before.apiKeys.has(id) || result.state.some(({ outputs }) => outputs.keyId === id)) continue;
      this.#foreign.add(id);
      const isNamed = isInterrupted || words.includes(id);
      this.holds("a key that is not recorded is named", isNamed, () => `${description} ${id}`);
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
    const { roles } = inputs as { readonly roles: readonly string[] };
    const isChanged =
      !sameSet(roles, declared.inputs.roles as readonly string[]) || !hasRoles(key.orgRoles, roles);
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

  #checkKey(was: ApiKeyView, is: ApiKeyView | undefined, situation: Situation): void {
    const { stateBefore, result, after } = situation;
    const records = [...stateBefore, ...result.state].filter(({ outputs }) => outputs.keyId === was.id);
    const ofKind = (type: string) => records.filter((record) => record.type === type);
    const isOwn = was.publicKey === this.ownPublicKey;
    if (is === undefined) {
      const mayGo =
        !isOwn &&
        !this.#foreign.has(was.id) &&
        ofKind("ApiKey").some(({ outputs }) => outputs.onDestroy === "remove");
      this.holds("only keys of this stack are deleted", mayGo, () => was.description);
      return;
    }
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
  checkTrue(
    { name, type, inputs, options }: Declaration,
    recorded: Recorded | undefined,
    service: ServiceView,
  ): void {
    const outputs = unwrapped(recorded?.outputs ?? {}) as Record<string, string>;
    const ignores = (property: string) => options?.ignoreChanges?.includes(property) ?? false;
    const key = service.apiKeys.get(outputs.keyId ?? "");
    const declared = inputs as {
      readonly description?: string;
      readonly roles: readonly string[];
      readonly accessList?: readonly string[];
    };
    const isTrue =
      type === "ApiKey"
        ? key !== undefined &&
          (ignores("description") || key.description === declared.description) &&
          (ignores("roles") || hasRoles(key.orgRoles, declared.roles))
        : // The ApiKey left the program, and this up deleted it last.
          key === undefined ||
          ignores("roles") ||
          sameSet(key.projectRoles.get(outputs.projectId ?? "") ?? [], declared.roles);
    this.holds("a successful up makes everything true", isTrue, () => `${name}: ${JSON.stringify(outputs)}`);
    if (type !== "ApiKey" || key === undefined || ignores("accessList") || declared.accessList === undefined)
      return;
    const entries = accessEntries(declared.accessList.map((entry) => entry.toLowerCase()));
    this.holds(
      "the access list of a key is the declared one",
      sameSet(key.accessList, entries),
      () =>
        `${name}: ${key.accessList.join(", ") || "no entry"}, declared ${entries.join(", ") || "no entry"}`,
    );
  }
}
