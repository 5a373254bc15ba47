// Detects nested source folders, so that each file is in the index of a namespace only once.

import { relative, sep } from "node:path";

import { walk } from "../../scan/walk.ts";
import type { Source } from "../../sources/registry/records.ts";

type Root = Pick<Source, "root" | "exclude">;

/** The source that already includes the files of the folder. A source that ignores the folder does not count. */
export function enclosingSource(sources: readonly Source[], folder: string): Source | undefined {
  return sources.find((source) => source.url === undefined && containsFolder(source, folder));
}

/** The sources whose files would be indexed twice if the folder became a source. */
export function enclosedSources(sources: readonly Source[], folder: Root): readonly Source[] {
  return sources.filter(({ url, root }) => url === undefined && containsFolder(folder, root));
}

function containsFolder({ root, exclude }: Root, folder: string): boolean {
  if (folder === root || !folder.startsWith(root.endsWith(sep) ? root : root + sep)) return false;
  const path = relative(root, folder).split(sep).join("/");
  try {
    return walk(root, { folders: [path], exclude: [...exclude] }).listed.has(path);
  } catch {
    // The outer folder does not exist now.
    return false;
  }
}
