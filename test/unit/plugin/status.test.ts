import { status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { decodeProperties, encodeProperties } from "../../../provider/plugin/properties";
import { toFailure } from "../../../provider/plugin/secrecy";
import { toServiceError } from "../../../provider/plugin/status";
import {
  ApiError,
  CanceledError,
  ConfigurationError,
  InternalError,
  KeyRefusedError,
  OutcomeUnknownError,
  PartialFailure,
  RefusedError,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from "../../../provider/text/errors";

const asItIs = (text: string) => text;
const masked = (text: string) => text.replaceAll("s3cret", "[secret]");

test.each([
  ["settings that are wrong", new ConfigurationError("x"), status.FAILED_PRECONDITION],
  ["an error response", new ApiError("x", { status: 404 }), status.FAILED_PRECONDITION],
  ["a refused key", new KeyRefusedError("x", { status: 401 }), status.UNAUTHENTICATED],
  ["a service that cannot be reached", new UnreachableError("x"), status.UNAVAILABLE],
  ["a time that ran out", new RequestTimeoutError("x"), status.DEADLINE_EXCEEDED],
  ["a cancellation", new CanceledError("x"), status.CANCELLED],
  ["a response that is not of this API", new UnexpectedResponseError("x"), status.FAILED_PRECONDITION],
  ["an outcome that is not known", new OutcomeUnknownError("x"), status.ABORTED],
  ["a rule of this provider", new RefusedError("x"), status.FAILED_PRECONDITION],
])("%s is no status that makes the engine doubt its state", (_, error, code) => {
  expect(toServiceError(error, asItIs)).toEqual({ code, details: "x" });
  expect([status.INTERNAL, status.UNKNOWN, status.DATA_LOSS]).not.toContain(code);
});

test("a fault of the provider reports that it is one, and where it happened", () => {
  const { code, details } = toServiceError(new TypeError("undefined is not a function"), asItIs);
  expect(code).toBe(status.INTERNAL);
  expect(details).toContain("undefined is not a function\nThis is a fault of the provider");
  expect(details).toContain("status.test.ts");
  expect(toServiceError(new InternalError("Odd."), asItIs).details).toContain("please report it at https://");
});

test.each(["text", undefined, null, { message: "m" }])("%p that was thrown is a status too", (thrown) => {
  expect(toServiceError(thrown, asItIs).code).toBe(status.INTERNAL);
});

test("texts are masked, the stack of a fault included", () => {
  expect(toServiceError(new RefusedError("key s3cret"), masked).details).toBe("key [secret]");
  expect(toServiceError(new TypeError("key s3cret"), masked).details).not.toContain("s3cret");
});

test("the reason of a refused input is one line in which nothing hides", () => {
  const failure = { property: "tags", reason: 'tags contains "a\n\u202eb" twice.' };
  const inputs = decodeProperties(encodeProperties({}) as Parameters<typeof decodeProperties>[0]);
  expect(toFailure(failure, inputs).getReason()).toBe('tags contains "a\\u000a\\u202eb" twice.');
});

describe("an operation that did not finish", () => {
  const failure = new PartialFailure("5f00", { name: "payments" }, ["tags: s3cret refused.", "Try again."]);
  const partial = { properties: encodeProperties({ name: "payments" }), refreshBeforeUpdate: true };

  test("carries id, state and reasons in the form that the engine reads", () => {
    const error = toServiceError(failure, masked, partial);
    expect(error.code).toBe(status.UNKNOWN);
    expect(error.details).toBe("tags: [secret] refused. Try again.");
    const [trailer] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (!Buffer.isBuffer(trailer)) throw new Error("The trailer is missing.");
    const rich = Status.deserializeBinary(trailer);
    expect([rich.getCode(), rich.getMessage()]).toEqual([status.UNKNOWN, error.details]);
    const detail = rich
      .getDetailsList()[0]
      ?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
    expect(detail?.getId()).toBe("5f00");
    expect(decodeProperties(detail?.getProperties()).values).toEqual({ name: "payments" });
    expect(detail?.getReasonsList()).toEqual(["tags: [secret] refused.", "Try again."]);
    expect(detail?.getRefreshBeforeUpdate()).toBe(true);
  });

  test("is a plain status where nothing can be recorded", () => {
    expect(toServiceError(failure, masked).metadata).toBeUndefined();
  });
});
