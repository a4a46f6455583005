/** What lookups say of a project, the same for one and for many. */
import { z } from "zod";
import type { ProjectAnswer } from "../api/projects";
import { ldapGroupMappingFields } from "../resources/project/project-inputs";
import { toLive } from "../resources/project/project-state";
import { withoutUndefined } from "../resources/values";

export const projectFields = {
  projectId: z.string().meta({ description: "Id of the project, 24 hexadecimal digits." }),
  orgId: z.string().meta({ description: "Id of the organization in which it lives, 24 hexadecimal digits." }),
  name: z.string().meta({ description: "Name of the project." }),
  tags: z
    .array(z.string())
    .optional()
    .meta({ description: "Tags, sorted; absent where the API key may not see them." }),
  ldapGroupMappings: z.array(ldapGroupMappingFields).optional().meta({
    description: "LDAP groups by project role, sorted; absent where the service is not LDAP-backed.",
  }),
};

export function toProjectFields(answer: ProjectAnswer) {
  const { projectId, orgId, name, tags, ldapGroupMappings } = toLive(answer);
  return withoutUndefined({ projectId, orgId, name, tags, ldapGroupMappings });
}
