/** Plays the same worlds with this version of the provider and with another one, until they differ. */
import { join } from "node:path";
import { compareRecords, type Deviation } from "../transcript";
import { recordWorld } from "./recorded";
import { asRegressionTest } from "./script";
import { type Share, shorten, worldsOf } from "./search";
import type { World } from "./world";

export interface CompareOptions extends Share {
  /** Folder with the sources of the other version and these tests. */
  readonly reference: string;
}

export interface ComparedWorlds {
  readonly worlds: number;
  readonly commands: number;
  /** Reads that the reference makes and this version does not. */
  readonly fewerReads: number;
  /** Worlds that were compared up to a disturbance which met the versions at different requests. */
  readonly open: number;
  readonly difference?: { readonly afterWorlds: number; readonly text: string };
}

export async function compare({ reference, ...share }: CompareOptions): Promise<ComparedWorlds> {
  const other: typeof import("./recorded") = await import(
    join(reference, "test", "proof", "worlds", "recorded.ts")
  );
  const compareWorld = async (world: World) => {
    const before = await other.recordWorld(world);
    const now = await recordWorld(world);
    return {
      ...compareRecords(before.commands, now.commands),
      commands: now.commands.length,
      story: now.story,
    };
  };
  const totals = { worlds: 0, commands: 0, fewerReads: 0, open: 0 };
  for (const { world, number: afterWorlds } of worldsOf(share)) {
    const { deviation, commands, fewerReads, isOpen, story } = await compareWorld(world);
    totals.worlds += 1;
    totals.commands += commands;
    totals.fewerReads += fewerReads;
    totals.open += isOpen ? 1 : 0;
    if (deviation === undefined) continue;
    const shortest = await shorten(world, { deviation, story }, async (shorter) => {
      const again = await compareWorld(shorter);
      return again.deviation && { deviation: again.deviation, story: again.story };
    });
    const text = describe(shortest.world, shortest.found.deviation, shortest.found.story);
    return { ...totals, difference: { afterWorlds, text } };
  }
  return totals;
}

function describe(world: World, { what, reference, now }: Deviation, story: readonly string[]): string {
  const script = asRegressionTest(world, { invariant: what, detail: "the two versions differ", story });
  return `${what}\n\nreference: ${reference}\n\nnow: ${now}\n\n${script}`;
}
