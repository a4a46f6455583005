/** Explains a cause once in an operation, although all resources meet it. */

import { errorReport, OpsManagerError, type SharedCause, sharedCauseOf } from "../../text/errors";
import { formatReference, parseReference } from "../../text/references";
import { partsOfUrn } from "../../text/urn";
import { visibleText } from "../../text/visible-text";
import { isUrn } from "./claims";

/** An explanation that was given. */
interface Explained {
  readonly explanation: string;
  /** The resource whose message has it. */
  readonly urn: string;
}

export class SharedCauses {
  /** By the name of the cause. */
  readonly #errors = new Map<string, Explained>();
  /** A program may catch the error of a lookup, so resources do not refer to it. */
  readonly #lookupErrors = new Map<string, Explained>();
  readonly #warnings = new Map<string, Explained>();

  /**
   * The text of a resource's error: complete, or short if another resource has failed for the same
   * cause. An error that says more than its cause loses the explanation only.
   *
   * @param urn of the resource; in the dynamic provider its kind and ID
   */
  report(error: unknown, urn: string): string {
    const text = errorReport(error);
    const cause = sharedCauseOf(error);
    if (cause === undefined) return this.shortened(text, urn);
    const other = this.#explainedElsewhere(cause, text, urn);
    const isCauseAlone = error instanceof OpsManagerError && error.sharedCause !== undefined;
    return other && isCauseAlone ? referenceTo(cause.name, other, urn) : this.shortened(text, urn);
  }

  /** The text with references in place of what the errors of other resources explain. */
  shortened(text: string, urn: string): string {
    let short = text;
    for (const [cause, explained] of this.#errors) {
      if (explained.urn === urn) continue;
      short = short.replaceAll(explained.explanation, () => referenceTo(cause, explained, urn));
    }
    return short;
  }

  /**
   * The text of a lookup's error, which loses the explanation if another error has given it.
   *
   * @param name of the function
   */
  reportLookup(error: unknown, name: string): string {
    const text = errorReport(error);
    const cause = sharedCauseOf(error);
    if (cause === undefined) return text;
    const other = this.#errors.get(cause.name) ?? this.#lookupErrors.get(cause.name);
    if (other === undefined) {
      this.#lookupErrors.set(cause.name, { explanation: cause.explanation, urn: name });
      return text;
    }
    return text.replace(cause.explanation, () => referenceTo(cause.name, other, name));
  }

  /**
   * The text of a warning: complete, or short if another resource has warned of the same cause in other
   * words.
   *
   * @param key identifies the cause, which may have the name of others
   */
  warning({ key, name }: { readonly key: string; readonly name: string }, text: string, urn: string): string {
    const first = this.#warnings.get(key);
    if (first === undefined) this.#warnings.set(key, { explanation: text, urn });
    return first === undefined || first.explanation === text ? text : referenceTo(name, first, urn);
  }

  /** The other resource that has explained the cause; if there is none, this text does. */
  #explainedElsewhere({ name, explanation }: SharedCause, text: string, urn: string): Explained | undefined {
    const explained = this.#errors.get(name);
    if (explained !== undefined) return explained.urn === urn ? undefined : explained;
    if (explanation !== "" && text.includes(explanation)) this.#errors.set(name, { explanation, urn });
    return undefined;
  }
}

/** @param from what refers to it; a resource of another kind may have the same name */
function referenceTo(cause: string, { urn }: Explained, from: string): string {
  return formatReference({ cause, name: visibleText(isUrn(urn) ? nameIn(urn, from) : urn) });
}

function nameIn(urn: string, from: string): string {
  const { type, name } = partsOfUrn(urn);
  return partsOfUrn(from).name === name ? `${type.split(":").at(-1)} ${name}` : name;
}

/** Whether the error of another resource explains this one. */
export function refersToOther(text: string): boolean {
  return parseReference(text) !== undefined;
}
