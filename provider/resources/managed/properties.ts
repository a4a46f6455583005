/**
 * The properties of an object that are compared with the service and sent to it: one entry of a table for each. The PATCH
 * from what is declared, and what came of it. Sends nothing.
 */

import { own } from "../../text/own";
import { changeKind, type Difference } from "../contract/difference";
import type { Log } from "../contract/resource";
import { hasUnknown, known, type Properties } from "../contract/values";

/** Values of a program, a record or the service. Absent: not declared, or not shown. */
export type Values<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** What a program gives: each value may be unknown, in whole or in part. */
type Given<Fields> = { readonly [Name in keyof Fields]?: unknown };

export interface ManagedProperty<Value, Response, Inputs = object> {
  readonly empty: Value;
  /** A response without the property means that it is empty. Otherwise the key may not see it. */
  readonly absentIsEmpty: boolean;
  /** An entry of a list of such objects may lack it. */
  readonly listMayLackIt: boolean;
  /** What a response shows: sets are sorted. */
  shown(response: Response): Value | undefined;
  same(one: Value, other: Value): boolean;
  differences(recorded: Value, declared: Value, inputs: Inputs): Difference[];
  /** Whether a response to a write does not show what was sent. */
  isHidden(sent: Value, shown: Value | undefined): boolean;
  /** By name, each live value that a write takes away or overwrites. */
  overwrites(sent: Value, live: Value): string[];
  /** What to do if the service accepts a value and does not store it. */
  readonly adviceIfDropped?: string;
}

/** The name of an object, whatever that is. */
export const managedName: ManagedProperty<string, { readonly name: string }> = {
  empty: "",
  absentIsEmpty: true,
  listMayLackIt: false,
  shown: ({ name }) => name,
  same: (one, other) => one === other,
  differences: (recorded, declared) => (declared === recorded ? [] : [{ path: ["name"], kind: "update" }]),
  isHidden: () => false,
  overwrites: (sent, live) => [`name "${live}" becomes "${sent}"`],
};

/** @typeParam Fields those that a PATCH can change */
export class ManagedProperties<Fields extends object, Response, Inputs extends Given<Fields>> {
  readonly names: readonly (keyof Fields & string)[];

  constructor(
    readonly table: { readonly [Name in keyof Fields]: ManagedProperty<Fields[Name], Response, Inputs> },
  ) {
    this.names = Object.keys(table) as (keyof Fields & string)[];
  }

  /** What a program declares, without what is not known yet. */
  declared(inputs: Given<Fields>): Values<Fields> {
    return this.#byName((name) => known(inputs[name]) as Fields[typeof name] | undefined);
  }

  /** What a response shows. */
  shown(response: Response): Values<Fields> {
    return this.#byName((name) => this.table[name].shown(response));
  }

  /** The managed ones of these values. */
  of(values: Values<Fields>): Values<Fields> {
    return this.#byName((name) => values[name]);
  }

  /**
   * A value that was not recorded is added as a whole, also an empty one if the service may have another that it does not
   * show. An unknown value may differ.
   */
  differences(recorded: Values<Fields>, inputs: Inputs): Difference[] {
    const ofKnown = this.#each(this.declared(inputs), (name, declared) => {
      const { absentIsEmpty, empty, differences } = this.table[name];
      const found = differences(recorded[name] ?? empty, declared, inputs);
      const isAdded = recorded[name] === undefined && (found.length > 0 || !absentIsEmpty);
      return isAdded ? [{ path: [name], kind: "add" } as const] : found;
    });
    const ofUnknown = this.names
      .filter((name) => hasUnknown(inputs[name]))
      .map((name) => ({ path: [name], kind: changeKind(recorded[name], inputs[name]) }));
    return [...ofKnown, ...ofUnknown];
  }

  /** The differences of properties that the old inputs managed and the new ones leave out. */
  unmanaged(inputs: Given<Fields>, oldInputs: Given<Fields>): Difference[] {
    return this.#noLongerManaged(inputs, oldInputs).map((name) => ({
      path: [name],
      kind: "delete",
      inputDiff: true,
    }));
  }

  tellUnmanaged(inputs: Given<Fields>, oldInputs: Given<Fields>, log: Log): void {
    for (const name of this.#noLongerManaged(inputs, oldInputs)) {
      log.info(
        `${name} is no longer managed; nothing was sent.${name === "name" ? "" : " Use [] to clear."}`,
      );
    }
  }

  /** The old inputs with live values, where they are known. */
  liveInputs(oldInputs: Properties, live: Values<Fields>): Properties {
    const values: Record<string, unknown> = this.#byName((name) => {
      const { absentIsEmpty, empty } = this.table[name];
      return live[name] ?? (absentIsEmpty ? empty : undefined);
    });
    const entries = Object.entries(oldInputs).map(([key, value]) => [key, own(values, key) ?? value]);
    return Object.fromEntries(entries) as Properties;
  }

  /** The inputs after an import: an import with a key that sees less must not let the next up clear the rest. */
  imported(
    live: { readonly [Name in keyof Fields]?: { readonly length: number } | undefined },
  ): Given<Fields> {
    return Object.fromEntries(
      this.names.filter((name) => live[name]?.length).map((name) => [name, live[name]]),
    ) as Given<Fields>;
  }

  /**
   * The smallest PATCH that makes the live object as wanted.
   *
   * @param live `undefined` if the object cannot be read: then every wanted value is sent
   */
  patch(
    live: Values<Fields> | undefined,
    wanted: Values<Fields>,
    isIgnored: (name: string) => boolean,
  ): Partial<Fields> {
    const different = this.#each(wanted, (name, value) => {
      if (isIgnored(name)) return [];
      const { absentIsEmpty, empty, same } = this.table[name];
      const current = live && (live[name] ?? (absentIsEmpty ? empty : undefined));
      return current !== undefined && same(value, current) ? [] : [[name, value]];
    });
    return Object.fromEntries(different) as Partial<Fields>;
  }

  /**
   * What the service stored other than it was sent, one sentence for each property.
   *
   * @param seesAll whether the key sees the properties whose absence does not mean that they are empty
   */
  storedOtherwise(patch: Values<Fields>, live: Values<Fields>, seesAll = true): string[] {
    return this.#each(patch, (name, sent) => {
      const { absentIsEmpty, empty, same, adviceIfDropped } = this.table[name];
      const stored = live[name] ?? empty;
      if ((!absentIsEmpty && !seesAll) || same(sent, stored)) return [];
      const isDropped = same(empty, stored);
      const advice = isDropped && adviceIfDropped !== undefined ? ` ${adviceIfDropped}` : "";
      return [
        `The service stored ${name} as ${JSON.stringify(stored)} instead of ${JSON.stringify(sent)}.${advice}`,
      ];
    });
  }

  /**
   * True when a response does not hold a field that was sent: hidden from the key, or a response that
   * is cut short.
   */
  lacksSent(patch: Values<Fields>, live: Values<Fields>): boolean {
    return this.#each(patch, (name, sent) => [this.table[name].isHidden(sent, live[name])]).includes(true);
  }

  /** By name, each value that a PATCH takes away or overwrites. */
  overwrites(patch: Values<Fields>, live: Values<Fields>): string[] {
    return this.#each(patch, (name, sent) => {
      const { empty, overwrites } = this.table[name];
      return overwrites(sent, live[name] ?? empty);
    });
  }

  /**
   * What the diff cannot show: values that changed after they were recorded and would be overwritten
   * now.
   */
  tellUnrecorded(patch: Values<Fields>, live: Values<Fields>, recorded: Values<Fields>, log: Log): void {
    const foreseen = new Set(this.overwrites(patch, recorded));
    const surprises = this.overwrites(patch, live).filter((sentence) => !foreseen.has(sentence));
    if (surprises.length > 0)
      log.info(`Changed in the service since it was recorded: ${surprises.join("; ")}.`);
  }

  #noLongerManaged(inputs: Given<Fields>, oldInputs: Given<Fields>) {
    return this.names.filter((name) => oldInputs[name] !== undefined && inputs[name] === undefined);
  }

  #byName(
    read: <Name extends keyof Fields & string>(name: Name) => Fields[Name] | undefined,
  ): Values<Fields> {
    return Object.fromEntries(this.names.map((name) => [name, read(name)])) as Values<Fields>;
  }

  /** The results for each property that has a value. */
  #each<Result>(
    values: Values<Fields>,
    resultsOf: <Name extends keyof Fields & string>(name: Name, value: Fields[Name]) => readonly Result[],
  ): Result[] {
    return this.names.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : resultsOf(name, value);
    });
  }
}
