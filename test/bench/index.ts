import { adopt } from "./adopt";
import { idleMemory } from "./idle-memory";
import { importing } from "./import";
import { large } from "./large";
import { projects } from "./projects";
import type { Row } from "./row";
import { start } from "./start";

/** All rows, in the order of the table. Each has a figure that a page states. */
export const rows: readonly Row[] = [start, idleMemory, projects, adopt, importing, large];
