/**
 * `npm start`: the main job, shown with real `pulumi` commands against the sandbox. Each step is checked against
 * the service's own state; the first mismatch ends the story with a non-zero exit code.
 */
import { ensureEngine } from "./engine.mjs";
import { elapsed } from "./lib/progress.mjs";
import { runScript } from "./lib/script.mjs";
import { openStage } from "./story/stage.mjs";
import { playDynamicStory, playPeopleStory, playPluginStory } from "./story/stories.mjs";

await runScript(async () => {
  const started = Date.now();
  const stage = await openStage((await ensureEngine()).bin);
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, async () => {
      if (interrupted) return;
      interrupted = true;
      console.log("\nInterrupted: cleaning up.");
      await stage.close();
      process.exit(130);
    });
  }
  try {
    const legacy = await playPluginStory(stage);
    await playPeopleStory(stage);
    await playDynamicStory(stage, legacy);
  } finally {
    await stage.close();
  }
  console.log(`\nThat was the whole story, in ${elapsed(started)}. Nothing of it is left behind.`);
  console.log(
    "Next: docs/install.md builds the package and tries it with a program of your own; docs/sandbox.md starts the sandbox.",
  );
});
