// Detects nested source folders, so that each file is in the index of a namespace only once.

import { relative, sep } from "node:path";

import type { Source } from "../../sources/registry/records.ts";
import { projectSettings } from "./project-settings.ts";

type Root = Pick<Source, "root" | "exclude">;

/** The source that already includes the files of the folder. A source that ignores the folder does not count. */
export async function enclosingSource(
  sources: readonly Source[],
  folder: string,
): Promise<Source | undefined> {
  const local = sources.filter(({ url }) => url === undefined);
  const contain = await Promise.all(local.map((source) => containsFolder(source, folder)));
  return local.find((_, at) => contain[at] === true);
}

/** The sources whose files would be indexed twice if the folder became a source. */
export async function enclosedSources(
  sources: readonly Source[],
  folder: Root,
): Promise<readonly Source[]> {
  const local = sources.filter(({ url }) => url === undefined);
  const contained = await Promise.all(local.map(({ root }) => containsFolder(folder, root)));
  return local.filter((_, at) => contained[at] === true);
}

async function containsFolder({ root, exclude }: Root, folder: string): Promise<boolean> {
  if (folder === root || !folder.startsWith(root.endsWith(sep) ? root : root + sep)) return false;
  const path = relative(root, folder).split(sep).join("/");
  // Most commands have no such sources.
  const { walk } = await import("../../scan/walk.ts");
  try {
    const project = (await projectSettings(root))?.filter;
    return walk(root, { folders: [path], exclude, project }).listed.has(path);
  } catch {
    // The outer folder does not exist now.
    return false;
  }
}
