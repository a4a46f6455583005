/**
 * Runs a lookup in the program's own process. Loaded with the first one: it brings the handlers and the HTTP client with it, and a
 * program that looks nothing up needs neither.
 */
import * as pulumi from "@pulumi/pulumi";
import { messageOf, RefusedError } from "../errors";
import { canonicalArguments, checkLookup, lookups } from "../functions";
import { createRedact } from "../transport";
import { connectWith, readSettings } from "./connection";
import { textsIn } from "./plain";
import { inputsOf, type Plain, toPlain } from "./properties";

/**
 * @param secrets names of the arguments that hold a secret
 * @throws RunError, whose message alone is shown and is free of secrets
 */
export async function ask(name: string, args: Plain, secrets: readonly string[]): Promise<Plain> {
  const values = canonicalArguments(inputsOf(args));
  // The service may answer a secret in another case than it was sent.
  const redactArguments = createRedact(
    secrets.flatMap((key) => textsIn(values[key])),
    true,
  );
  let redact = redactArguments;
  try {
    const connection = connectWith(readSettings((key) => pulumi.runtime.getConfig(key)))();
    redact = (text) => redactArguments(connection.redact(text));
    const lookup = lookups.find((candidate) => candidate.name === name);
    if (!lookup) throw new RefusedError(`This version of pulumi-opsmanager has no ${name}.`);
    const failures = checkLookup(lookup, values);
    if (failures.length > 0) {
      throw new RefusedError(`${name}: ${failures.map(({ reason }) => reason).join(" ")}`);
    }
    const context = { session: connection.session, signal: new AbortController().signal };
    return toPlain(await lookup.invoke({ args: values, context }));
  } catch (error) {
    // Without the cause and its stack: their texts are not masked.
    throw new pulumi.RunError(redact(messageOf(error)));
  }
}
