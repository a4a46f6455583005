import { deleteProject } from "../../../provider/api/projects";
import { meaningOf } from "../../../provider/resources/meaning";
import { project } from "../../../provider/resources/project";
import { failureOf } from "../client/with-client";
import { runs } from "./with-project";

const start = runs();
const page = "<!DOCTYPE html><html><body>HTTP ERROR 404</body></html>";

// Each was taken for a wrong baseUrl or for a failure, so a service with few operations could not be used.
describe.each([
  ["RESOURCE_NOT_FOUND", { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND" } }],
  ["a web page with 404", { status: 404, body: page, contentType: "text/html" }],
  ["a web page with 405", { status: 405, body: page, contentType: "text/html" }],
  ["a bare 501", { status: 501, body: "" }],
])("a service that answers operations it does not offer with %s", (_, fault) => {
  test("keeps an adopted project as declared, and a read keeps the last known state", async () => {
    const { sandbox, context, create, warnings } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    sandbox.addFault({ method: "GET", times: 0, fault });

    const inputs = { projectId: id, tags: ["PROD"] };
    const { state } = await create(inputs);
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
    expect(state).toMatchObject({ origin: "adopted", name: "payments" });

    const read = await project.read({ id, state, oldInputs: inputs, context });
    expect(read).toMatchObject({ id, state });
    expect(warnings.at(-1)).toContain("does not offer reading a project (GET /groups/{id})");
  });

  test("does not prove that a project was deleted", async () => {
    const { sandbox, context } = await start();
    const { id } = sandbox.addProject({ name: "payments" });
    sandbox.addFault({ method: "DELETE", fault });
    expect(meaningOf(await failureOf(deleteProject(context.session.client, id)))).toBe("missing-operation");
  });
});
