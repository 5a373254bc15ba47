// A folder inside of another: each file is to be in the index of a namespace once.

import { relative, sep } from "node:path";

import { walk } from "../../scan/walk.ts";
import type { Source } from "../../sources/registry.ts";

type Root = Pick<Source, "root" | "exclude">;

/** The source whose files those of the folder are already; not one that ignores the folder. */
export function enclosingSource(sources: readonly Source[], folder: string): Source | undefined {
  return sources.find((source) => source.url === undefined && containsFolder(source, folder));
}

/** The sources whose files would be in the index twice if the folder became a source as well. */
export function enclosedSources(sources: readonly Source[], folder: Root): readonly Source[] {
  return sources.filter(({ url, root }) => url === undefined && containsFolder(folder, root));
}

function containsFolder({ root, exclude }: Root, folder: string): boolean {
  if (folder === root || !folder.startsWith(root.endsWith(sep) ? root : root + sep)) return false;
  const path = relative(root, folder).split(sep).join("/");
  try {
    return walk(root, { folders: [path], exclude: [...exclude] }).listed.has(path);
  } catch {
    // The outer one is not there now.
    return false;
  }
}
