/**
 * The roles known today, with their names in the service's user interface (Ops Manager reference, user roles). New ones
 * appear without notice, and fixed lists have locked people out, so no role is refused for being missing here.
 */
export const roleNames = {
  project: {
    GROUP_AUTOMATION_ADMIN: "Project Automation Admin",
    GROUP_BACKUP_ADMIN: "Project Backup Admin",
    GROUP_DATA_ACCESS_ADMIN: "Project Data Access Admin",
    GROUP_DATA_ACCESS_READ_ONLY: "Project Data Access Read Only",
    GROUP_DATA_ACCESS_READ_WRITE: "Project Data Access Read/Write",
    GROUP_MONITORING_ADMIN: "Project Monitoring Admin",
    GROUP_OWNER: "Project Owner",
    GROUP_READ_ONLY: "Project Read Only",
    GROUP_USER_ADMIN: "Project User Admin",
  },
  organization: {
    ORG_BILLING_ADMIN: "Organization Billing Admin",
    ORG_GROUP_CREATOR: "Organization Project Creator",
    ORG_MEMBER: "Organization Member",
    ORG_OWNER: "Organization Owner",
    ORG_READ_ONLY: "Organization Read Only",
  },
} as const;
