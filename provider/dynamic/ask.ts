/**
 * Runs a lookup in the program's own process. Loaded with the first one: it brings the handlers and
 * the HTTP client with it, and a program that looks nothing up needs neither.
 */
import * as pulumi from "@pulumi/pulumi";
import { KeyRefusedError, RefusedError, reportOf } from "../errors";
import { canonicalArguments, checkLookup, lookups } from "../functions";
import { secretTexts } from "../resources/secret-texts";
import { createRedact } from "../transport";
import { type Connection, connectWith, forget, readSettings } from "./connection";
import { inputsOf, type Plain, toPlain } from "./properties";

/**
 * @param secrets names of the arguments that hold a secret
 * @throws RunError, whose message alone is shown and is free of secrets
 */
export async function ask(name: string, args: Plain, secrets: readonly string[]): Promise<Plain> {
  const values = canonicalArguments(inputsOf(args));
  // The service may return a secret in another case than it was sent.
  const redactArguments = createRedact(secretTexts(values, secrets), true);
  let redact = redactArguments;
  let connection: Connection | undefined;
  try {
    connection = connectWith(readSettings((key) => pulumi.runtime.getConfig(key)))();
    const { session, redact: redactSettings } = connection;
    redact = (text) => redactArguments(redactSettings(text));
    const lookup = lookups.find((candidate) => candidate.name === name);
    if (!lookup) throw new RefusedError(`This version of pulumi-opsmanager has no ${name}.`);
    const failures = checkLookup(lookup, values);
    if (failures.length > 0) {
      throw new RefusedError(`${name}: ${failures.map(({ reason }) => reason).join(" ")}`);
    }
    return toPlain(
      await lookup.invoke({ args: values, context: { session, signal: new AbortController().signal } }),
    );
  } catch (error) {
    // Without the cause and its stack: their texts are not masked.
    if (connection && error instanceof KeyRefusedError) forget(connection);
    throw new pulumi.RunError(redact(reportOf(error)));
  }
}
