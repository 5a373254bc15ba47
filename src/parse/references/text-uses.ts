// The uses that are read from the text of a file, not from a syntax tree.

import { namedUses } from "../named-uses/named-uses.ts";
import { withSharedNames } from "../shared-names/read-shared-names.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { templateUses } from "../templates/template-uses.ts";
import type { FileReferences } from "./references.ts";

/** A larger text is data or generated. */
const MAX_CHARS = 1_000_000;

/** Returns the references of a file with those in its text: of templates, of languages without a grammar, and of shared names. */
export function withTextUses(references: FileReferences, file: TextWithSymbols): FileReferences {
  const found = file.text.length > MAX_CHARS ? [] : [...namedUses(file), ...templateUses(file)];
  if (found.length === 0) return withSharedNames(references, file);
  const uses = [...references.uses, ...found].toSorted((one, other) => one.line - other.line);
  return withSharedNames({ ...references, uses }, file);
}
