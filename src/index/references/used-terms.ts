// The index terms of a file's uses and imports.

import type { FileReferences } from "../../parse/references/references.ts";
import { cutTerm } from "../../parse/tokenizer.ts";

/** Returns the names that a file uses and the modules that it imports, as distinct terms of the field `uses`. */
export function usedTerms({ uses, imports }: FileReferences): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const { name } of uses) terms.add(usedTerm(name));
  for (const { module } of imports)
    for (const part of lastPartsOf(module)) terms.add(importTerm(part));
  return terms;
}

/** Returns the term of a used name. */
export function usedTerm(name: string): string {
  return cutTerm(name.toLowerCase());
}

/** Returns the term of a part of an imported module. */
export function importTerm(part: string): string {
  return cutTerm(`/${part.toLowerCase()}`);
}

/** Separators of the parts of a module's path. */
const SEPARATORS = /[/\\:.]+/;
/** Extensions of paths only: in `Newtonsoft.Json` a name follows the ".". */
const EXTENSION =
  /(?<=\/.*|^[^.]*)\.(?:[mc]?[jt]sx?|d\.ts|json|vue|svelte|h|hh|hpp|hxx|inl|py|rb|lua|zig|dart|php|s?css|sh)$/;

/**
 * Returns the last two parts of a module's path, without the extension. The last part may be a name inside the
 * module (`a.b.Name`) or the index file of a folder (`base/index`). Returns "." for the folder of the importer
 * and its ancestors.
 */
export function lastPartsOf(module: string): readonly string[] {
  const parts = module.replace(EXTENSION, "").split(SEPARATORS);
  const named = parts.filter((part) => part !== "" && part !== "*").slice(-2);
  return named.length === 0 && module.startsWith(".") ? ["."] : named;
}
