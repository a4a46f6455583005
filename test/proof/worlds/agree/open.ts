/** Contradictions between the commands that are known and open: random worlds pass over them, and a test shows each until it is mended. */
import type { World } from "../world";

interface Open {
  readonly invariant: string;
  readonly world: World;
}

export const open: readonly Open[] = [
  {
    // `access` and `drift` name the invitation; after the import, `drift` is red where it offers a right to own the project.
    invariant: "adopt says what an invitation offers beside the membership that it writes",
    world: {
      provider: "plugin",
      switches: {},
      steps: [
        { outside: "invite", slot: "legacy", person: "ben", roles: ["GROUP_OWNER"] },
        { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_READ_ONLY"] },
        { run: "ask", pick: 0 },
      ],
    },
  },
];
