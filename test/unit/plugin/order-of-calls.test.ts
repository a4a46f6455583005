import { status } from "@grpc/grpc-js";
import { CheckRequest, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { construct } from "../../../projects/construct";
import { createService } from "../../../provider/plugin/service";

const urn = "urn:pulumi:dev::platform::opsmanager:index:Project::payments";

test.each([
  ["check", new CheckRequest().setUrn(urn)],
  ["create", new CreateRequest().setUrn(urn)],
])(
  "%s before Configure is the caller's fault, and the error names the missing call",
  async (method, request) => {
    const service = createService(undefined, () => undefined, construct);
    const call = service.handlers[method] as (call: object, callback: (error: unknown) => void) => void;
    const error = await new Promise((resolve) => call({ request, getPeer: () => "engine" }, resolve));
    service.close();
    expect(error).toEqual({
      code: status.FAILED_PRECONDITION,
      details:
        "The provider is not configured: the engine must call Configure before any operation on a resource.",
    });
  },
);
