import { adopt } from "./adopt";
import { dynamic } from "./dynamic";
import { idleMemory } from "./idle-memory";
import { importing } from "./import";
import { large } from "./large";
import { members } from "./members";
import { people } from "./people";
import { projects } from "./projects";
import type { Row } from "./row";
import { start } from "./start";
import { wire } from "./wire";

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  start,
  idleMemory,
  projects,
  members,
  people,
  dynamic,
  adopt,
  importing,
  { ...wire, isSeparate: true },
  large,
];
