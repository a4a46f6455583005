/** Days in files and programs, and processes on another one. */
import { join } from "node:path";

/** A day from today on, in UTC. */
export function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

/** The environment of processes whose clock is so many days slow. The resident ones have that of the machine. */
export function daysAgo(days: number): Record<string, string> {
  const now = new Date(Date.now() - days * 86_400_000).toISOString();
  return { NODE_OPTIONS: `--require=${join(__dirname, "machine-clock.cjs")}`, OPSMANAGER_TEST_NOW: now };
}
