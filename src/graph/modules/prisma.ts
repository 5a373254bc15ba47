// The schemas of Prisma in a project: `schema.prisma`, and the other files of a schema in its folder and in those below.

import type { FileTree } from "../../index/port.ts";
import { folderOf, inFolder } from "./paths.ts";

const NAMES = ["schema.prisma", "main.prisma", "base.prisma"];

/** Returns the paths of the schemas. */
export function prismaFiles(tree: FileTree): readonly string[] {
  const folders = new Set(NAMES.flatMap((name) => tree.named(name)).map(folderOf));
  const all = new Set<string>();
  for (const folder of folders) {
    const below = tree.foldersIn(folder).map((name) => inFolder(folder, name));
    for (const place of [folder, ...below]) {
      for (const name of tree.filesIn(place)) {
        if (name.endsWith(".prisma")) all.add(inFolder(place, name));
      }
    }
  }
  return [...all];
}
