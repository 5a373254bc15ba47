// The uses of languages that are read without a grammar: shells, makefiles and schemas. A name that the file defines means that
// definition, any other is known by name.

import { BY_NAME } from "../../base/receiver-marks.ts";
import type { FileReferences, Use } from "../references/references.ts";
import { definitionAtLine } from "../symbols/definition-at-line.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import { makefileTargets } from "./makefile-targets.ts";
import type { NamedUse } from "./named-use.ts";
import { schemaTypes } from "./schema-types.ts";
import { shellCommands } from "./shell-commands.ts";

/** A larger text is data or generated. */
const MAX_CHARS = 1_000_000;
/** Maximum uses of a file. */
const MAX_USES = 20_000;

interface NamedFile {
  readonly language: string | undefined;
  readonly text: string;
  readonly symbols: readonly SymbolDefinition[];
}

/** Returns the references of a file with the uses of its language, if that has no grammar. */
export function withNamedUses(
  references: FileReferences,
  { language = "", text, symbols }: NamedFile,
): FileReferences {
  if (text.length > MAX_CHARS) return references;
  const found = namesIn(text, language);
  if (found.length === 0) return references;
  const numbers = new Map(symbols.map(({ name }, number) => [name, number] as const).toReversed());
  const uses = found.slice(0, MAX_USES).flatMap((one): Use[] => {
    const target = numbers.get(one.name) ?? -1;
    if (target === -1 && one.isOwn === true) return [];
    // The line of a definition is none of its uses.
    if (symbols[target]?.nameLine === one.line) return [];
    const { name, line, role } = one;
    const receiver = target === -1 ? BY_NAME + language : "";
    return [
      { name, line, role, owner: definitionAtLine(symbols, line), target, binding: -1, receiver },
    ];
  });
  return { ...references, uses: [...references.uses, ...uses] };
}

function namesIn(text: string, language: string): readonly NamedUse[] {
  if (language === "bash") return shellCommands(text);
  if (language === "makefile") return makefileTargets(text);
  return schemaTypes(text, language);
}
