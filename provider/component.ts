/**
 * The component that the plugin serves, as the package schema describes it. `projects/` declares
 * its resources: the provider itself does not know files.
 */
import { z } from "zod";

/** The type of the component, whichever package of a program declares it. */
export const ACCESS_FOLDER_TYPE = "opsmanager:index:AccessFolder";

/** What one organization file declares within an AccessFolder. Programs do not declare it, so it is not in the schema. */
export const ORGANIZATION_FILE_TYPE = "opsmanager:index:OrganizationFile";

const shard = z
  .object({
    index: z.int().meta({ description: "Number of this part, from 0 to `count - 1`.", plain: true }),
    count: z.int().meta({ description: "Number of all parts.", plain: true }),
  })
  .meta({ typeName: "Shard", description: "One of several equal parts of a folder.", plain: true });

const selection = z
  .object({
    orgId: z.string().optional().meta({
      description: "ID of an organization, 24 hexadecimal digits: the files of this organization.",
      plain: true,
    }),
    shard: shard.optional().meta({
      description: "One of `count` parts. The `key` of a file decides its part, in every release.",
    }),
  })
  .meta({
    typeName: "FileSelection",
    description:
      "The files that one stack declares, so that several stacks share one folder. Set exactly one property.",
    plain: true,
  });

const declaredProject = z
  .object({
    projectId: z.string().meta({ description: "ID of the project, 24 hexadecimal digits." }),
    name: z.string().meta({ description: "Name of the project." }),
  })
  .meta({ typeName: "DeclaredProject", description: "ID and name of a project that a file declares." });

const declaredTeam = z
  .object({
    teamId: z.string().meta({ description: "ID of the team, 24 hexadecimal digits." }),
    name: z.string().meta({ description: "Name of the team." }),
  })
  .meta({ typeName: "DeclaredTeam", description: "ID and name of a team that a file declares." });

const declaredApiKey = z
  .object({
    keyId: z.string().meta({ description: "ID of the key, 24 hexadecimal digits." }),
    publicKey: z.string().meta({ description: "The public key." }),
    privateKey: z.string().optional().meta({
      secret: true,
      description: "The private key. Absent after an import, because the service shows it only once.",
    }),
  })
  .meta({ typeName: "DeclaredApiKey", description: "An API key that an organization file declares." });

/** A component in the package schema. */
export interface Component {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
}

export const components: readonly Component[] = [
  {
    type: ACCESS_FOLDER_TYPE,
    name: "AccessFolder",
    description:
      "Everything that gives access, one YAML or JSON file each: the projects in the subfolder `projects`, the teams in `teams`, and the people, groups and API keys of organizations in `organizations`. A person or a key that leaves a file is removed. A file that is deleted releases what it declared.",
    inputs: z.object({
      folder: z.string().meta({
        description:
          "The folder with the subfolders `projects`, `teams` and `organizations`, of which at least one has a file. A relative path begins at the folder of the program: the folder of `Pulumi.yaml`, or its `main`. `.` is that folder itself.",
        plain: true,
      }),
      select: selection.optional().meta({
        description:
          "The files that this stack declares, so that several stacks share one folder. All files are checked. Default: every file.",
      }),
    }),
    outputs: z.object({
      projects: z
        .record(z.string(), declaredProject)
        .meta({ description: "ID and name of each project, by the key of its file." }),
      teams: z
        .record(z.string(), declaredTeam)
        .meta({ description: "ID and name of each team, by the key of its file." }),
      // Not marked as secret, because the Java SDK of components has no option for that. The value is one.
      apiKeys: z.record(z.string(), declaredApiKey).meta({
        description:
          "The API keys of the organizations, by the key of the file and the name of the API key: `acme/ci`. A secret.",
      }),
    }),
  },
];
