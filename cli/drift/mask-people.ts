/**
 * `--mask-people`: the report without the names of people, for a wider audience than the service's
 * own users.
 */
import { z } from "zod";
import { type PropertyPath, parsePath, pathText } from "../../provider/resources/contract/property-path";
import { isRecord } from "../../provider/resources/contract/values";
import { own } from "../../provider/text/own";
import {
  type KnownResource,
  type Mask,
  maskOf,
  namesInResources,
  namesInValue,
  type PossibleNames,
  pseudonymOf,
} from "../lib/mask";
import { logicalName, personInId, personInName, propertiesWithPeople, typeOf } from "../lib/own-resources";
import type { Finding, Report } from "./report/model";
import { driftReport, type TextForm, textForms, unmanagedRow } from "./report/schema";
import { isKindOfPeople } from "./report/unmanaged-kinds";

/**
 * Replaces every name of a person with `person-<10 hexadecimal digits>`. Known names (members,
 * ids, unmanaged people, names in a state) are replaced everywhere, as is all text in the form of
 * an email address. The schema of the report tells which texts are names, and which are none.
 *
 * The same person has the same pseudonym in all reports and runs, so alerts and comments stay the
 * same. Letter case is ignored. Limits:
 * - The pseudonym is a plain SHA-256 of the name. With a list of names, a reader can
 *   determine which of them are in a report.
 * - Ids of accounts are not masked, because only the service can resolve them.
 * - A name in another spelling inside a logical name (`ada-example-com`) is not recognized.
 * - A name that only the new program contains is recognized in the error of a rejected input. In
 *   another error, it is recognized only if it is an email address.
 *
 * @param report not compared with an earlier one yet
 * @param resources of the checked stacks: the report alone does not show which part of a sentence
 * is a name
 */
export function maskPeople(report: Report, resources: readonly KnownResource[] = []): Report {
  const mask = maskOf(namesIn(report, resources));
  const masked = withTexts(driftReport, report, (form, text) => inForm[form](text, mask));
  return { ...driftReport.parse(masked), peopleMasked: true };
}

const inForm: Readonly<Record<TextForm | "other", (text: string, mask: Mask) => string>> = {
  person: pseudonymOf,
  holder: (text, mask) => mask(text),
  // An address identifies the person who used it.
  address: () => "[masked]",
  path: maskedPath,
  reason: (text, mask) => mask(withoutRejectedPeople(text)),
  plain: (text) => text,
  other: (text, mask) => mask(text),
};

type Change = (form: TextForm | "other", text: string) => string;

/** A value of the schema with each of its texts changed, those in values and logical names included. */
function withTexts(schema: z.core.$ZodType, value: unknown, change: Change): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly)
    return withTexts(schema.unwrap(), value, change);
  if (schema instanceof z.ZodUnknown) return inAllTexts(value, (text) => change("other", text));
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((entry) => withTexts(schema.element, entry, change));
  if (schema instanceof z.ZodObject && isRecord(value)) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    const isOfPerson = schema === unmanagedRow && isKindOfPeople(value.kind);
    const inHere: Change = isOfPerson
      ? (form, text) => change(form === "holder" ? "person" : form, text)
      : change;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => {
        const property = own(shape, name);
        if (property === undefined || held === undefined) return [name, held];
        return [name, withTexts(property, held, inHere)];
      }),
    );
  }
  if (schema instanceof z.ZodString && typeof value === "string")
    return change(textForms.get(schema)?.form ?? "other", value);
  return value;
}

/**
 * Pulumi quotes the whole value of a rejected input. A name that only the new program contains
 * cannot be recognized, so neither the value nor the text after it is shown.
 */
function withoutRejectedPeople(reason: string): string {
  return reason.replace(
    REJECTED_PEOPLE,
    "$1[masked]$2[masked]. To read it, run the command without --mask-people.",
  );
}

const REJECTED_PEOPLE = new RegExp(
  `(property (?:${[...propertiesWithPeople.keys()].join("|")})\\b\\S* value ).*?( has a problem: ).*`,
  "s",
);

/** Masks the username in the path of a member, or any name in another path. */
function maskedPath(property: string, mask: Mask): string {
  const [top, name, ...rest] = parsePath(property);
  const form = propertiesWithPeople.get(String(top));
  if (top === undefined || form === undefined || form === "name" || typeof name !== "string")
    return mask(property);
  return pathText([top, pseudonymOf(name), ...rest]);
}

function inAllTexts(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((entry) => inAllTexts(entry, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [mask(key), inAllTexts(entry, mask)]),
  );
}

/** All names of people in the report or a state. */
function namesIn(report: Report, resources: readonly KnownResource[]): PossibleNames {
  const { findings, unreadable } = report;
  const people: string[] = [];
  withTexts(driftReport, report, (form, text) => {
    if (form === "person") people.push(text);
    return text;
  });
  const inStates = new Set(resources.map(({ urn }) => urn));
  const urns = [...findings.map(({ urn }) => urn), ...unreadable.map(({ what }) => what)];
  return [
    ...namesInResources(resources),
    ...urns.filter((urn) => !inStates.has(urn)).map((urn) => personInName(typeOf(urn), logicalName(urn))),
    ...findings.flatMap(namesInFinding),
    ...people,
  ];
}

function namesInFinding({ type, id, property, declared, live, object }: Finding): PossibleNames {
  const values = [declared, live].map((value) => atPath(parsePath(property), value));
  return [
    personInId(type, id),
    ...values.flatMap(namesInValue),
    object?.what === "person" ? object.name : undefined,
  ];
}

/** The value inside of the objects and lists that its path names. */
function atPath([step, ...rest]: PropertyPath, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = atPath(rest, value);
  return typeof step === "number" ? [inner] : { [step]: inner };
}
