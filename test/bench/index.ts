import { adopt } from "./adopt";
import { doors } from "./doors";
import { idleMemory } from "./idle-memory";
import type { Row } from "./row";
import { start } from "./start";

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [start, idleMemory, doors, adopt];
