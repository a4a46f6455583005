/** Makes a world that shows something as short as it can be. */
import type { Step, World } from "./world";

/**
 * Leaves out each step and each disturbance without which the world still shows the same.
 *
 * @param again what a shorter world shows, if it is the same
 */
export async function shorten<Found>(
  world: World,
  found: Found,
  again: (world: World) => Promise<Found | undefined>,
): Promise<{ readonly world: World; readonly found: Found }> {
  let best = { world, found };
  const attempt = async (steps: readonly Step[]): Promise<void> => {
    const shorter = { ...best.world, steps };
    const shown = await again(shorter);
    if (shown !== undefined) best = { world: shorter, found: shown };
  };
  for (let before = 0; before !== best.world.steps.length; ) {
    before = best.world.steps.length;
    for (let index = before - 1; index >= 0; index -= 1) await attempt(best.world.steps.toSpliced(index, 1));
  }
  for (const [index, step] of best.world.steps.entries()) {
    if (!("run" in step) || Object.keys(step).length === 1) continue;
    await attempt(best.world.steps.with(index, { run: step.run }));
  }
  return best;
}
