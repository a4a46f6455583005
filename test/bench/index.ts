import { adopt } from "./adopt";
import { idleMemory } from "./idle-memory";
import { providers } from "./providers";
import type { Row } from "./row";
import { start } from "./start";
import { wire } from "./wire";

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [start, idleMemory, providers, wire, adopt];
