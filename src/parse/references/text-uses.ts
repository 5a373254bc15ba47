// The uses that are read from the text of a file, not from a syntax tree.

import { namedImports, namedPackage } from "../named-uses/named-imports.ts";
import { namedUses } from "../named-uses/named-uses.ts";
import { withSharedNames } from "../shared-names/read-shared-names.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { templateUses } from "../templates/template-uses.ts";
import type { FileReferences } from "./references.ts";

/** A larger text is data or generated. */
const MAX_CHARS = 1_000_000;

/** Returns the references of a file with those in its text: of templates, of languages without a grammar, and of shared names. */
export function withTextUses(references: FileReferences, file: TextWithSymbols): FileReferences {
  const named = withNamedImports(references, file);
  const found =
    file.text.length > MAX_CHARS ? [] : [...namedUses(file, named.imports), ...templateUses(file)];
  if (found.length === 0) return withSharedNames(named, file);
  const uses = [...named.uses, ...found].toSorted((one, other) => one.line - other.line);
  return withSharedNames({ ...named, uses }, file);
}

function withNamedImports(
  references: FileReferences,
  { text, language = "" }: TextWithSymbols,
): FileReferences {
  const imports = references.imports.length > 0 ? [] : namedImports(text, language);
  const name = namedPackage(text, language);
  if (imports.length === 0 && name === "") return references;
  return { ...references, imports, package: name };
}
