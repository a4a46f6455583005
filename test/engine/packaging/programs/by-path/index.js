const pulumi = require("@pulumi/pulumi");
const { Project } = require("pulumi-opsmanager");

const payments = new Project("payments", {
  orgId: new pulumi.Config().require("orgId"),
  name: "payments",
  tags: ["PROD"],
});

exports.projectId = payments.projectId;
