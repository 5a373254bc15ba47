// The uses of languages that are read without a grammar: shells, makefiles and schemas. A name that the file defines means that
// definition, any other is known by name.

import { BY_NAME } from "../../base/receiver-marks.ts";
import type { Use } from "../references/references.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { makefileTargets } from "./makefile-targets.ts";
import type { NamedUse } from "./named-use.ts";
import { schemaTypes } from "./schema-types.ts";
import { shellCommands } from "./shell-commands.ts";

/** Maximum uses of a file. */
const MAX_USES = 20_000;

/** Returns the uses of a file in its language, if that has no grammar. */
export function namedUses({
  language = "",
  text,
  symbols,
}: Omit<TextWithSymbols, "path">): readonly Use[] {
  const found = namesIn(text, language).slice(0, MAX_USES);
  const numbers = new Map(symbols.map(({ name }, number) => [name, number] as const).toReversed());
  const ownerAt = definitionsByLine(symbols);
  return found.flatMap(({ name, line, role, isOwn = false }): Use[] => {
    const target = numbers.get(name) ?? -1;
    if (target === -1 && isOwn) return [];
    // The line of a definition is none of its uses.
    if (symbols[target]?.nameLine === line) return [];
    const receiver = target === -1 ? BY_NAME + language : "";
    return [{ name, line, role, owner: ownerAt(line), target, binding: -1, receiver }];
  });
}

function namesIn(text: string, language: string): readonly NamedUse[] {
  if (language === "bash") return shellCommands(text);
  if (language === "makefile") return makefileTargets(text);
  return schemaTypes(text, language);
}
