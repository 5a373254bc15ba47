// How results are shown: colours, and links to files.
import { join } from "node:path";

import type { App } from "../app.ts";
import { COLOR_MODES } from "../config/setting-definitions.ts";
import type { StringFlag } from "./flag-definition.ts";
import type { Io } from "./io.ts";
import { readRegistry } from "./known-namespaces.ts";

/** As in ripgrep and git, for `svc search ... --color always | less -R`. */
export const COLOR_FLAG = {
  type: "string",
  choices: COLOR_MODES,
  placeholder: "WHEN",
  description: "When to colour the output; overrides the setting `color`.",
} as const satisfies StringFlag;

export function resolveColor(io: Io, mode: (typeof COLOR_MODES)[number] | undefined): boolean {
  return mode === "always" || (mode !== "never" && io.color);
}

/** Returns a function from an indexed path to its file; undefined without links, and for a cloned repository. */
export async function fileFinder(
  app: App,
  { hyperlinks }: Io,
  namespace: string,
): Promise<(path: string) => string | undefined> {
  const sources = hyperlinks ? (await readRegistry(app))?.sources(namespace) : [];
  // Longest prefix first: the prefix of the first source is "", which matches every path.
  const folders = [...(sources ?? [])].toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (path) => {
    const source = folders.find(({ prefix }) => path.startsWith(prefix));
    if (source === undefined || source.url !== undefined) return undefined;
    return join(source.root, path.slice(source.prefix.length));
  };
}
