/** One call of the engine: the values of its request, and the form of what it answers. */
import type { ServiceError } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { CallSecrets } from "../api/call-secrets";
import type { CheckFailure } from "../resources/contract/check";
import type { Resource } from "../resources/contract/resource";
import { type Described, secretNames, secretTexts } from "../resources/contract/secret-texts";
import type { Properties } from "../resources/contract/values";
import { own } from "../text/own";
import { visibleText } from "../text/visible-text";
import { type Decoded, decodeProperties, encodeProperties } from "./properties";
import { toServiceError } from "./status";

export class Call extends CallSecrets {
  readonly #marked = new Set<string>();

  /** What the engine gets in place of an answer. */
  failure: (error: unknown) => Partial<ServiceError> = (error) => toServiceError(error, this.redact);

  /** Decodes a part of the request. From now on, its secrets are masked. */
  decode(struct: Struct | undefined, of?: Described): Decoded {
    const decoded = decodeProperties(struct);
    for (const name of decoded.secrets) this.#marked.add(name);
    this.add(secretTexts(decoded.values, decoded.secrets, of));
    return decoded;
  }

  /** The properties of the resource that are secret, because they are so in any part of the request or always. */
  secretsOf(resource: Resource): ReadonlySet<string> {
    return secretNames(resource, this.#marked);
  }

  /** Encodes a state or inputs of the resource, with the marks of what is secret. */
  encode(values: Properties, resource: Resource): Struct {
    return encodeProperties(values, this.secretsOf(resource));
  }

  /**
   * The reason why an input is rejected. The CLI prints the value of the property that it names, secrets included
   * (pulumi/pulumi#19465), so it names no secret, and no list or map: of these, the reason names the entry.
   */
  rejection({ property, reason }: CheckFailure, { values, secrets }: Decoded): proto.CheckFailure {
    const isNamed = !secrets.has(property) && typeof own(values, property) !== "object";
    return new proto.CheckFailure()
      .setProperty(isNamed ? property : "")
      .setReason(visibleText(this.redact(reason)));
  }
}
