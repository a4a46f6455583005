/** What a program hands over: plain values, or some that are still to come and may be secret. */
import * as pulumi from "@pulumi/pulumi";

/** Whether a value holds no output and no promise, at any depth. */
export function isPlain(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isPlain);
}

/** The names of those arguments that are or hold a secret. */
export async function secretsOf(args: object): Promise<string[]> {
  const entries = Object.entries(args).map(async ([name, value]) => {
    return (await pulumi.isSecret(pulumi.output(value))) ? [name] : [];
  });
  return (await Promise.all(entries)).flat();
}
