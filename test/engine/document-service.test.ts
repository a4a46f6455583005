/** The connection between real `pulumi` commands and what `test/integration/document-service` shows of the document's own service. */
import { createStack, disposeStacks, secret, succeeded } from "../support";
import { DocumentService } from "../support/document-service";
import { bothProviders, timesPrinted } from "./support/project-program";

const services: DocumentService[] = [];
afterEach(async () => {
  await disposeStacks();
  for (const service of services.splice(0)) await service.close();
});

it.each(bothProviders)(
  "a project and its people are adopted, left alone by a second up, and leave (%s)",
  async (provider) => {
    const service = await DocumentService.start();
    services.push(service);
    const { baseUrl, publicKey, privateKey } = service.connection;
    const projectId = service.project.id;
    const [userId = ""] = service.users;
    const invitationId = service.invite("ada@example.com");
    const stack = await createStack({
      provider,
      config: {
        "opsmanager:baseUrl": baseUrl,
        "opsmanager:publicKey": publicKey,
        "opsmanager:privateKey": secret(privateKey),
      },
      program: {
        resources: {
          payments: { type: "Project", properties: { projectId, name: "ledger", tags: ["PROD"] } },
          ada: { type: "ProjectMember", properties: { projectId, invitationId } },
          bob: { type: "ProjectMember", properties: { projectId, userId } },
        },
      },
    });
    expect((await succeeded(stack.up())).changes).toEqual({ create: 3 });
    expect(service.takeWrites()).toEqual([`PATCH /groups/${projectId} 200`]);
    const again = await succeeded(stack.up());
    expect(again.changes).toEqual({ same: 3 });
    expect(timesPrinted(again, "check baseUrl")).toBeGreaterThan(0);
    await succeeded(stack.destroy());
    expect(service.takeWrites().sort()).toEqual([
      `DELETE /groups/${projectId}/invites/${invitationId} 204`,
      `DELETE /groups/${projectId}/users/${userId} 204`,
    ]);
  },
);
