import { status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Call } from "../../../provider/plugin/call";
import { decodeProperties, encodeProperties } from "../../../provider/plugin/properties";
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
  { error: new ConfigurationError("x"), code: status.FAILED_PRECONDITION },
  { error: new ApiError("x", { status: 404 }), code: status.FAILED_PRECONDITION },
  { error: new KeyRefusedError("x", { status: 401 }), code: status.UNAUTHENTICATED },
  { error: new UnreachableError("x"), code: status.UNAVAILABLE },
  { error: new RequestTimeoutError("x"), code: status.DEADLINE_EXCEEDED },
  { error: new CanceledError("x"), code: status.CANCELLED },
  { error: new UnexpectedResponseError("x"), code: status.FAILED_PRECONDITION },
  { error: new OutcomeUnknownError("x"), code: status.ABORTED },
  { error: new RefusedError("x"), code: status.FAILED_PRECONDITION },
])("$error.name has status $code, which does not make the engine doubt its state", ({ error, code }) => {
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

test("whatever was thrown is a status, and texts are masked, the stack of a fault included", () => {
  for (const thrown of ["text", undefined, null, { message: "m" }])
    expect(toServiceError(thrown, asItIs).code).toBe(status.INTERNAL);
  expect(toServiceError(new RefusedError("key s3cret"), masked).details).toBe("key [secret]");
  expect(toServiceError(new TypeError("key s3cret"), masked).details).not.toContain("s3cret");
});

test("the reason of a refused input is one line in which nothing hides, and Pulumi prints no list beside it", () => {
  const failure = { property: "tags", reason: 'tags contains "a\n\u202eb" twice.' };
  const values = { tags: ["a", "a"], name: "a" };
  const call = new Call();
  const inputs = call.decode(encodeProperties(values));
  expect(call.rejection(failure, inputs).toObject()).toEqual({
    property: "",
    reason: 'tags contains "a\\u000a\\u202eb" twice.',
  });
  expect(call.rejection({ property: "name", reason: "" }, inputs).getProperty()).toBe("name");
});

describe("an operation that did not finish", () => {
  const failure = new PartialFailure("5f00", { name: "payments" }, ["tags: s3cret refused.", "Try again."]);
  const partial = { properties: encodeProperties({ name: "payments" }), refreshBeforeUpdate: true };

  test("carries id, state and reasons in the form that the engine reads", () => {
    const error = toServiceError(failure, masked, partial);
    const [trailer] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (!Buffer.isBuffer(trailer)) throw new Error("The trailer is missing.");
    const rich = Status.deserializeBinary(trailer);
    expect(error).toMatchObject({ code: status.UNKNOWN, details: "tags: [secret] refused. Try again." });
    expect([rich.getCode(), rich.getMessage()]).toEqual([status.UNKNOWN, error.details]);
    const detail = rich
      .getDetailsList()[0]
      ?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
    expect(detail?.getId()).toBe("5f00");
    expect(decodeProperties(detail?.getProperties()).values).toEqual({ name: "payments" });
    expect(detail?.getReasonsList()).toEqual(["tags: [secret] refused.", "Try again."]);
    expect(detail?.getRefreshBeforeUpdate()).toBe(true);
  });
});
