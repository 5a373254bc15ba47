// What a package of R exports: see https://cran.r-project.org/doc/manuals/R-exts.html#Specifying-imports-and-exports

import type { FileFacts } from "../../index/types.ts";
import type { ApiVersion } from "./api-version.ts";
import { isDefinition, type AddName, type NamesOptions } from "./public-definition.ts";

/** Returns whether a file of R exports a name to the users of its package. */
type IsExported = (path: string, name: string) => boolean;

const DIRECTIVE = /^[ \t]*(export|exportPattern)\s*\(([^()]*)\)/gm;

/**
 * Returns what the packages of a version export, by their file NAMESPACE. Without one, all functions are for users whose
 * name does not begin with a dot.
 */
export async function exportsOfR(version: Pick<ApiVersion, "tree" | "parts">): Promise<IsExported> {
  const { named } = await version.tree();
  const packages = named("NAMESPACE")
    .map((path) => ({
      folder: path.slice(0, -"NAMESPACE".length),
      exports: readExports(version.parts.readFile(path) ?? ""),
    }))
    .toSorted((one, other) => other.folder.length - one.folder.length);
  return (path, name) => {
    const found = packages.find(({ folder }) => path.startsWith(folder));
    if (found === undefined) return !name.startsWith(".");
    const { names, patterns } = found.exports;
    return names.has(name) || patterns.some((pattern) => pattern.test(name));
  };
}

/** Adds what the files of R define at their top level and export. */
export async function addExportsOfR(
  version: ApiVersion,
  files: readonly FileFacts[],
  { add, signal }: NamesOptions & { readonly add: AddName },
): Promise<void> {
  if (files.length === 0) return;
  const isExported = await exportsOfR(version);
  for (const { path } of files) {
    signal.throwIfAborted();
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const file = await version.scope(path);
    for (const facts of file?.symbols ?? []) {
      const isOuter = facts.name === facts.qualifiedName && isDefinition(facts);
      if (file !== undefined && isOuter && isExported(path, facts.name))
        add(facts.name, file, facts);
    }
  }
}

function readExports(text: string): {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
} {
  const names = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [, directive, list = ""] of text.matchAll(DIRECTIVE)) {
    for (const word of list.split(",")) {
      const name = word.trim().replace(/^(["'`])(.*)\1$/, "$2");
      if (directive === "export") names.add(name);
      else patterns.push(patternOf(name));
    }
  }
  return { names, patterns };
}

/** Patterns of R are mostly `^[^\\.]` or `^[[:alpha:]]+`. */
function patternOf(text: string): RegExp {
  const source = text
    .replaceAll("\\\\", "\\")
    .replaceAll("[:alpha:]", "A-Za-z")
    .replaceAll("[:alnum:]", "A-Za-z0-9");
  try {
    return new RegExp(source);
  } catch {
    return /^(?!)/;
  }
}
