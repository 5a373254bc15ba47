// The files that a file reaches: through imports, including dynamic ones and type imports, and through the paths of
// programs. Threads are started by name, so only the types of their messages lead to them.
import path from "node:path";

const REFERENCE = /(["'`])(?<to>\.{1,2}\/[^"'`\n]+?\.(?:ts|mjs))\1/g;

/** The file and all files that it reaches, among `files` (text by path). */
export function reachableFrom(
  file: string,
  files: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const found = new Set([file]);
  // The loop also visits the files that it adds.
  for (const one of found) {
    for (const { groups } of (files.get(one) ?? "").matchAll(REFERENCE)) {
      const to = path.posix.join(path.posix.dirname(one), groups?.["to"] ?? "");
      if (files.has(to)) found.add(to);
    }
  }
  return found;
}
