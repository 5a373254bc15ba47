// How results are shown: in colour or not, and with their files to be opened.
import { join } from "node:path";

import type { App } from "../app.ts";
import { COLOR_MODES } from "../config/setting-definitions.ts";
import type { StringFlag } from "./command.ts";
import type { Io } from "./io.ts";
import { withRegistry } from "./known-namespaces.ts";

/** As ripgrep and git have it: for `svc search ... --color always | less -R`. */
export const COLOR_FLAG = {
  type: "string",
  choices: COLOR_MODES,
  placeholder: "WHEN",
  description: "Colour the output, whatever the settings say.",
} as const satisfies StringFlag;

export function resolveColor(io: Io, mode: (typeof COLOR_MODES)[number] | undefined): boolean {
  return mode === "always" || (mode !== "never" && io.color);
}

/** Where a path of this namespace lies on this machine; undefined where no link is to lead there. */
export function fileFinder(
  app: App,
  { hyperlinks }: Io,
  namespace: string,
): (path: string) => string | undefined {
  const sources = hyperlinks ? withRegistry(app, (registry) => registry.sources(namespace)) : [];
  // The longest prefix first: that of the first source is "", which fits every path.
  const folders = [...(sources ?? [])].toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (path) => {
    const source = folders.find(({ prefix }) => path.startsWith(prefix));
    if (source === undefined || source.url !== undefined) return undefined;
    return join(source.root, path.slice(source.prefix.length));
  };
}
