// The terms under which a file is found that uses or imports something.

import type { FileReferences } from "../../parse/references/references.ts";
import { cutTerm } from "../../parse/tokenizer.ts";

/** The names that a file uses and the modules that it imports, as terms of the field `uses`, each once. */
export function usedTerms({ uses, imports }: FileReferences): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const { name } of uses) terms.add(usedTerm(name));
  for (const { module } of imports)
    for (const part of lastPartsOf(module)) terms.add(importTerm(part));
  return terms;
}

export function usedTerm(name: string): string {
  return cutTerm(name.toLowerCase());
}

export function importTerm(part: string): string {
  return cutTerm(`/${part.toLowerCase()}`);
}

/** A part of a module's path is what remains between these. */
const SEPARATORS = /[/\\:.]+/;
/** Of paths alone: behind the "." of `Newtonsoft.Json` there is a name. */
const EXTENSION =
  /(?<=\/.*|^[^.]*)\.(?:[mc]?[jt]sx?|d\.ts|json|vue|svelte|h|hh|hpp|hxx|inl|py|rb|lua|zig|dart|php|s?css|sh)$/;

/**
 * The last two parts of a module's path, without the extension: what comes last may be a name within the
 * module (`a.b.Name`), or the file that stands for its folder (`base/index`). "." for the folder of the
 * importer and those around it.
 */
export function lastPartsOf(module: string): readonly string[] {
  const parts = module.replace(EXTENSION, "").split(SEPARATORS);
  const named = parts.filter((part) => part !== "" && part !== "*").slice(-2);
  return named.length === 0 && module.startsWith(".") ? ["."] : named;
}
