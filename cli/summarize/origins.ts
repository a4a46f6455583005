/** Why the steps of a run change something: by the program, or to reverse what somebody changed outside Pulumi. Pure. */

import { propertiesRead } from "../../provider/resources/contract/read-marker";
import { isRecord } from "../../provider/resources/contract/values";
import { own } from "../../provider/text/own";
import { isHiddenProperty, MARK } from "../../provider/text/sentinels";
import type { OwnedResource } from "../lib/access/declared";
import {
  type CausedValue,
  type ChangedValue,
  caused,
  causesOf,
  formerUrn,
  isDeleted,
  refreshesOf,
  separated,
} from "../lib/causes";
import type { Snapshot, Step } from "../lib/engine-events";
import { changedValues } from "../lib/step-values";
import { NOT_KNOWN, readable, SECRET } from "../lib/value-differences";

/** Inputs that name another object, which may have been deleted and created again. */
const REFERENCES: readonly string[] = ["projectId", "teamId", "keyId"];

export type Side = Snapshot | null | undefined;

/** What the state has, and what the program declares. Of an unchanged resource, both are what the last read found. */
export function sidesOf({ op, old, new: now }: Step): { readonly recorded: Side; readonly declared: Side } {
  if (op !== "same") return { recorded: old, declared: now };
  const unchanged = old && { ...old, outputs: now?.outputs ?? old.outputs };
  return { recorded: unchanged, declared: unchanged };
}

export class Origins {
  readonly #refreshes: ReadonlyMap<string, Step>;

  /**
   * @param steps of the run, its refresh included
   * @param unfinished URNs of resources whose last create or update failed halfway: what the state has of them was
   * perhaps never applied
   */
  constructor(
    steps: readonly Step[],
    private readonly unfinished: ReadonlySet<string> = new Set(),
  ) {
    this.#refreshes = refreshesOf(steps);
  }

  refreshOf(step: Step): Step | undefined {
    return this.#refreshes.get(formerUrn(step));
  }

  /** What the state had before the refresh. */
  recordedBy(step: Step): Side {
    return sidesOf(this.refreshOf(step) ?? step).recorded;
  }

  /** The resource as it was read, or else as it was recorded, for what names it elsewhere. */
  resourceOf(step: Step): OwnedResource {
    const recorded = this.recordedBy(step);
    const { urn, id, inputs, outputs } = step.old ?? recorded ?? {};
    return {
      urn: urn ?? step.urn,
      type: step.type,
      id: id ?? recorded?.id,
      inputs: inputs ?? {},
      outputs: outputs ?? {},
      recorded: recorded?.outputs ?? {},
    };
  }

  /** Whether the state does not prove what the last update applied: these properties, or anything of it. */
  isUnproven(step: Step, properties: readonly string[] = []): boolean {
    const read = propertiesRead(this.recordedBy(step)?.inputs ?? {});
    return this.unfinished.has(formerUrn(step)) || properties.some((name) => read.includes(name));
  }

  /** Whether the step makes an object anew that no longer exists, which the program did not ask for. */
  isAgain(step: Step): boolean {
    const refresh = this.refreshOf(step);
    if (step.op === "create") return refresh !== undefined && isDeleted(refresh);
    const isReplacement = step.op === "replace" || step.op === "create-replacement";
    // The dynamic provider finds the deletion while it compares, and replaces what is as declared.
    return isReplacement && refresh === undefined && isAsRecorded(step);
  }

  /** Whether the program declares the object that is made again as it was. */
  isAsBefore(step: Step): boolean {
    return this.isAgain(step) && this.#programOfAgain(step).length === 0;
  }

  /** Whether the step changes only references to objects that are made again. */
  isReferring(step: Step): boolean {
    const changes = step.op === "update" ? this.changesOf(step) : undefined;
    return changes?.every(({ path: [top] }) => REFERENCES.includes(String(top))) === true;
  }

  /**
   * The values that a step changes, by their causes.
   *
   * @returns `undefined` if nothing shows which property differs
   */
  changesOf(step: Step): readonly CausedValue[] | undefined {
    if (this.isAgain(step)) return this.#programOfAgain(step);
    const sides = { declared: step.new, live: step.old };
    return changedValues(step, sides)?.flatMap((difference): CausedValue[] => {
      const { path, live, declared } = difference;
      const unknown = [caused("unknown", path, live, declared)];
      if (this.isUnproven(step)) return unknown;
      const found = causesOf(difference, this.refreshOf(step), sides);
      if (found.length > 0) return found;
      // Whom the program begins to remove is in neither of its lists, and is named with those who lose access.
      const isWithoutValue = live === undefined && declared === undefined;
      return isWithoutValue && this.beginsToRemove(step) ? [] : unknown;
    });
  }

  /** Whether the program now removes the people whom it does not list. */
  beginsToRemove(step: Step): boolean {
    return (
      step.new?.inputs?.removeUnlisted === true && this.recordedBy(step)?.inputs?.removeUnlisted !== true
    );
  }

  /** What an object had that is made again, beside references to other objects. */
  valuesOfAgain(step: Step): readonly ChangedValue[] {
    const values = allValues(this.recordedBy(step)?.inputs, "before");
    return values.filter(({ path: [top] }) => !REFERENCES.includes(String(top)));
  }

  /** Why a step changes something if nothing shows which property differs. */
  causeOfUnclear(step: Step): CausedValue["cause"] {
    const refresh = this.refreshOf(step);
    if (refresh !== undefined || this.isUnproven(step)) return "unknown";
    // Without a refresh, the state has what the last update declared.
    return isAsRecorded(step) ? "outside" : "unknown";
  }

  /** What the program changes of an object that is made again. */
  #programOfAgain(step: Step): CausedValue[] {
    const [recorded, declared] = [this.recordedBy(step)?.inputs ?? {}, step.new?.inputs ?? {}];
    const names = new Set([...Object.keys(recorded), ...Object.keys(declared)]);
    return [...names]
      .filter((name) => isOfProgram(name) && !REFERENCES.includes(name))
      .flatMap((name) => {
        const before = readable(own(recorded, name));
        return separated([name], { recorded: before, live: before, declared: readable(own(declared, name)) });
      })
      .filter((value) => !JSON.stringify(value).includes(NOT_KNOWN));
  }
}

/** Of a map, such as `members`, each entry is a value. */
export function allValues(inputs: Snapshot["inputs"], when: "before" | "after"): ChangedValue[] {
  return Object.entries(inputs ?? {})
    .filter(([name]) => isOfProgram(name))
    .map(([name, value]) => [name, readable(value)] as const)
    .flatMap(([name, value]) =>
      isRecord(value)
        ? Object.entries(value).map(([key, inner]) => ({ path: [name, key], [when]: inner }))
        : [{ path: [name], [when]: value }],
    );
}

/** Whether a program gives the input, and not Check. */
function isOfProgram(name: string): boolean {
  return !isHiddenProperty(name) && name !== MARK;
}

/** Whether the program declares what the state has; secrets cannot be compared. */
export function isAsRecorded({ old, new: now }: Step): boolean {
  const [recorded, declared] = [old, now].map((side) => JSON.stringify(shown(side)));
  return recorded === declared && !recorded?.includes(JSON.stringify(SECRET));
}

function shown(side: Side): unknown {
  const visible = Object.entries(side?.inputs ?? {}).filter(([name]) => !isHiddenProperty(name));
  return readable(Object.fromEntries(visible.sort(([one], [other]) => (one < other ? -1 : 1))));
}
