// The checks before a command indexes a folder that the user did not ask to index.

import { relative } from "node:path";

import { SvcError } from "../base/errors.ts";
import { counted, sizeText } from "../base/amounts.ts";
import { quoted } from "../base/quoted.ts";
import type { NamedPlace } from "../engine/workspace.ts";
import { isInside } from "../sources/confined-path.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";
import type { CommandContext } from "./command.ts";
import { safeLine } from "./print/safe-text.ts";

/** More take minutes, so their user decides. */
const MAX_FILES_UNASKED = 50_000;
/** Maximum projects that an error names. */
const MAX_NAMED_PROJECTS = 5;

type Context = Pick<CommandContext, "app" | "io">;

/**
 * Tells the user on a terminal which folder is indexed and how large it is. Throws NO_WORKSPACE for a folder with indexed
 * projects, which is none itself, and for one with more than 50,000 files.
 */
export async function prepareFirstIndex(
  { app, io }: Context,
  { root, isProject }: NamedPlace,
  registry: RegistryState | undefined,
): Promise<void> {
  await app.workspace(root);
  const typed = (folder: string): string => {
    const here = relative(app.workingDirectory, folder);
    return quoted(here === "" ? "." : here.startsWith("..") ? folder : here);
  };
  const command = `svc index ${typed(root)}`;
  const projects = isProject ? [] : projectsBelow(root, registry);
  const [first] = projects;
  if (first !== undefined) {
    throw new SvcError("NO_WORKSPACE", `${root} contains ${projectList(root, projects)}.`, {
      hint: `Search one of them, such as \`svc search QUERY ${typed(first)}\`. To index the whole folder as well, run \`${command}\`.`,
    });
  }
  const { files, bytes } = await app.sizeOf(root);
  if (files > MAX_FILES_UNASKED) {
    throw new SvcError(
      "NO_WORKSPACE",
      `${root} has ${counted(files, "file")}, which would take minutes to index.`,
      {
        hint: `To index it, run \`${command}\`. To search a part of it, run \`svc search QUERY PATH\`.`,
      },
    );
  }
  if (!io.errIsTerminal) return;
  io.err(`Indexing ${safeLine(root)}: ${counted(files, "file")}, ${sizeText(bytes)}.\n`);
}

/** The indexed folders below a folder. */
function projectsBelow(root: string, registry: RegistryState | undefined): readonly string[] {
  const below = (registry?.namespaces() ?? [])
    .flatMap((name) => registry?.sources(name) ?? [])
    .filter((source) => source.url === undefined && isInside(root, source.root))
    .map((source) => source.root);
  return [...new Set(below)].toSorted();
}

/** `2 indexed projects: click, flask`. */
function projectList(root: string, projects: readonly string[]): string {
  const names = projects.slice(0, MAX_NAMED_PROJECTS).map((project) => relative(root, project));
  const rest = projects.length - names.length;
  const what = projects.length === 1 ? "an indexed project" : `${projects.length} indexed projects`;
  return `${what}: ${[...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`;
}
