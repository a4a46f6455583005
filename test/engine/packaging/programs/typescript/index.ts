import * as pulumi from "@pulumi/pulumi";
import { Project } from "pulumi-opsmanager";

const payments = new Project("payments", {
  orgId: new pulumi.Config().require("orgId"),
  name: "payments",
  tags: ["PROD"],
});

export const projectId: pulumi.Output<string> = payments.projectId;
