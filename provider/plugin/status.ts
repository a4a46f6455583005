/** Converts errors to gRPC statuses that the engine interprets. */
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { errorReport, type FailureCode, OpsManagerError, PartialFailure } from "../text/errors";
import type { Redact } from "../transport";

/**
 * Status of each error code. INTERNAL, UNKNOWN and DATA_LOSS make the engine warn that its state
 * may be corrupt (provider_plugin.go). A definite failure, which changed nothing, therefore has
 * another status.
 */
const STATUS_CODES: Readonly<Record<FailureCode, status>> = {
  OPSMANAGER_CONFIGURATION: status.FAILED_PRECONDITION,
  OPSMANAGER_API: status.FAILED_PRECONDITION,
  OPSMANAGER_KEY_REFUSED: status.UNAUTHENTICATED,
  OPSMANAGER_UNREACHABLE: status.UNAVAILABLE,
  OPSMANAGER_TIMEOUT: status.DEADLINE_EXCEEDED,
  OPSMANAGER_CANCELLED: status.CANCELLED,
  OPSMANAGER_UNEXPECTED_RESPONSE: status.FAILED_PRECONDITION,
  OPSMANAGER_OUTCOME_UNKNOWN: status.ABORTED,
  OPSMANAGER_REFUSED: status.FAILED_PRECONDITION,
  OPSMANAGER_PROJECT_FILES: status.FAILED_PRECONDITION,
  OPSMANAGER_PARTIAL: status.UNKNOWN,
  OPSMANAGER_INTERNAL: status.INTERNAL,
};

interface PartialDetail {
  readonly properties: ErrorResourceInitFailed["getProperties"] extends () => infer S ? S : never;
  readonly refreshBeforeUpdate: boolean;
}

/**
 * @param partial the recorded state in wire form, for a `PartialFailure`
 * @param report makes the text of the error
 */
export function toServiceError(
  error: unknown,
  redact: Redact,
  partial?: PartialDetail,
  report = errorReport,
): Partial<ServiceError> {
  const code = error instanceof OpsManagerError ? STATUS_CODES[error.code] : status.INTERNAL;
  const details = redact(report(error));
  if (!(error instanceof PartialFailure) || !partial) return { code, details };
  const detail = new ErrorResourceInitFailed();
  detail.setId(error.id);
  detail.setProperties(partial.properties);
  detail.setReasonsList(error.reasons.map(redact));
  detail.setRefreshBeforeUpdate(partial.refreshBeforeUpdate);
  return { code, details, metadata: statusMetadata(code, details, detail) };
}

/** google.rpc.Status in a binary trailer: gRPC's form of structured error details. */
function statusMetadata(code: status, message: string, detail: ErrorResourceInitFailed): Metadata {
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const rich = new Status();
  rich.setCode(code);
  rich.setMessage(message);
  rich.addDetails(any);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return metadata;
}
