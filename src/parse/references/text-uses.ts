// The uses that are read from the text of a file, not from a syntax tree.

import { languageFamily } from "../../base/language-families.ts";
import { PRISMA_SCHEMA } from "../../base/receiver-marks.ts";
import { modelsUsed } from "../languages/javascript/prisma-calls.ts";
import { namedImports, namedPackage } from "../named-uses/named-imports.ts";
import { namedUses } from "../named-uses/named-uses.ts";
import { withSharedNames } from "../shared-names/read-shared-names.ts";
import { prismaTypes } from "../schemas/prisma.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { templateUses } from "../templates/template-uses.ts";
import type { FileReferences, Use } from "./references.ts";

/** A larger text is data or generated. */
const MAX_CHARS = 1_000_000;

/** Returns the references of a file with those in its text: of templates, of languages without a grammar, and of shared names. */
export function withTextUses(references: FileReferences, file: TextWithSymbols): FileReferences {
  const named = withNamedImports(references, file);
  const found =
    file.text.length > MAX_CHARS
      ? []
      : [...namedUses(file, named.imports), ...templateUses(file), ...modelUses(file)];
  if (found.length === 0) return withSharedNames(named, file);
  const uses = [...named.uses, ...found].toSorted((one, other) => one.line - other.line);
  return withSharedNames({ ...named, uses }, file);
}

/** Adds what the lines of a file say of its imports, its package and the types of its fields. */
function withNamedImports(
  references: FileReferences,
  { text, language = "", symbols }: TextWithSymbols,
): FileReferences {
  if (language === "prisma") return { ...references, types: prismaTypes(text, symbols) };
  const imports = references.imports.length > 0 ? [] : namedImports(text, language);
  const name = namedPackage(text, language);
  if (imports.length === 0 && name === "") return references;
  return { ...references, imports, package: name };
}

/** Returns the uses of the models of Prisma in the calls of its client. */
function modelUses({ language = "", text, symbols }: TextWithSymbols): readonly Use[] {
  if (languageFamily(language) !== "javascript") return [];
  const ownerAt = definitionsByLine(symbols);
  return modelsUsed(text).map(({ name, line }) => ({
    name,
    line,
    role: "value",
    owner: ownerAt(line),
    target: -1,
    binding: -1,
    receiver: PRISMA_SCHEMA,
  }));
}
