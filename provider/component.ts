/**
 * The component that the plugin serves, as the package schema describes it. `projects/` declares
 * its resources: the provider itself does not know project files.
 */
import { z } from "zod";

/** The type of the component, whichever package of a program declares it. */
export const PROJECT_FOLDER_TYPE = "opsmanager:index:ProjectFolder";

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
    folder: z.string().optional().meta({
      description:
        "A subfolder: the files in it and in its subfolders. The path is relative to the folder of the project files.",
      plain: true,
    }),
    shard: shard.optional().meta({
      description: "One of `count` parts. The `key` of a file decides its part, in every release.",
    }),
  })
  .meta({
    typeName: "ProjectSelection",
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

export const projectFolder = {
  name: "ProjectFolder",
  description:
    "All projects of a folder, one YAML or JSON file each, with their people and teams. A file that is deleted releases its project; with `onDestroy: delete` in it the project is deleted.",
  inputs: z.object({
    folder: z.string().meta({
      description:
        "Folder of the project files. A relative path begins at the folder of the program: the folder of `Pulumi.yaml`, or its `main`.",
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
  }),
};
