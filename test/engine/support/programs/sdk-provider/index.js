/** An explicit provider by the Node SDK, which sends every setting that is no text as JSON text. */
const pulumi = require("@pulumi/pulumi");
const opsmanager = require("pulumi-opsmanager");

const config = new pulumi.Config();
const service = new opsmanager.Provider("service", {
  baseUrl: config.require("baseUrl"),
  publicKey: config.require("publicKey"),
  privateKey: config.requireSecret("privateKey"),
  maxRetries: 0,
  requestTimeoutSeconds: 30,
  requestsPerSecond: 12.5,
  refreshBeforeUpdate: false,
});
const payments = new opsmanager.Project(
  "payments",
  { orgId: config.require("orgId"), name: "payments", tags: ["PROD"] },
  { provider: service },
);
exports.projectId = payments.projectId;
