// The uses of languages that are read without a grammar. A name that the file defines means that definition. What any other means
// is decided by the rules of the language, if there are any, else it is known by name.

import { languageFamily, USES_WITHOUT_GRAMMAR } from "../../base/language-families.ts";
import { BY_NAME } from "../../base/receiver-marks.ts";
import type { Import, Use } from "../references/references.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { namesInCode, OWN } from "./code-names.ts";
import { CODE_NAME_RULES } from "./code-name-rules.ts";
import { makefileTargets } from "./makefile-targets.ts";
import { NamedTargets } from "./named-targets.ts";
import type { DefinitionsOfFile, NamedUse } from "./named-use.ts";
import { objcNames } from "./objc-names.ts";
import { schemaTypes } from "./schema-types.ts";
import { shellCommands } from "./shell-commands.ts";

/** Maximum uses of a file. */
const MAX_USES = 20_000;
const TYPES = new Set(["class", "type", "module"]);

/** Returns the uses of a file in its language, if that has no grammar. `imports`: those of the file. */
export function namedUses(
  { language = "", text, symbols }: Omit<TextWithSymbols, "path">,
  imports: readonly Import[] = [],
): readonly Use[] {
  if (!USES_WITHOUT_GRAMMAR.has(language)) return [];
  const ownerAt = definitionsByLine(symbols);
  const definitions = { symbols, ownerAt, typeAt: definitionsByLine(symbols, TYPES) };
  const rules = CODE_NAME_RULES[language];
  const found = namesIn(text, language, definitions, imports).slice(0, MAX_USES);
  if (found.length === 0) return [];
  const targets = new NamedTargets(definitions, rules?.ignoresCase === true);
  const file: FileOfUses = {
    language,
    symbols,
    targets,
    isOrdered: rules?.hasConstructors === true,
    renamed: renamedIn(imports),
    defined: new Set(symbols.map(({ name, nameLine }) => `${nameLine} ${name}`)),
  };
  return found.flatMap((use) => {
    const complete = useIn(file, use);
    return complete === undefined ? [] : { ...complete, owner: ownerAt(use.line) };
  });
}

/** What decides which uses the names of a file are. */
interface FileOfUses {
  readonly language: string;
  readonly symbols: TextWithSymbols["symbols"];
  readonly targets: NamedTargets;
  /** Whether a module is visible only below its definition. */
  readonly isOrdered: boolean;
  readonly renamed: ReturnType<typeof renamedIn>;
  /** The lines and names of definitions, which are none of their uses. */
  readonly defined: ReadonlySet<string>;
}

/** Returns the use of a name; undefined if it is none. */
function useIn(file: FileOfUses, use: NamedUse): Omit<Use, "owner"> | undefined {
  const { line, role } = use;
  const target = file.targets.of(use);
  const symbol = file.symbols[target];
  if (symbol === undefined) return use.isOwn === true ? undefined : useElsewhere(file, use);
  const isBelow = symbol.kind === "module" && symbol.nameLine > line;
  if ((file.isOrdered && isBelow) || file.defined.has(`${line} ${symbol.name}`)) return undefined;
  return { name: symbol.name, line, role, target, binding: -1, receiver: "" };
}

/** The use of a name that the file does not define. */
function useElsewhere({ renamed, language }: FileOfUses, use: NamedUse): Omit<Use, "owner"> {
  const { name, line, role } = use;
  const receiver = receiverOf(use, language);
  const [written, binding] = (receiver === "" ? renamed.get(name) : undefined) ?? [name, -1];
  return { name: written, line, role, target: -1, binding, receiver };
}

function moduleUse({ module, line }: Import): NamedUse {
  return { name: module.slice(module.lastIndexOf(".") + 1), line, role: "import", receiver: "" };
}

/** The names that imports give another name, with the number of the import. */
function renamedIn(imports: readonly Import[]): ReadonlyMap<string, readonly [string, number]> {
  const renamed = new Map<string, readonly [string, number]>();
  for (const [number, { bindings }] of imports.entries()) {
    for (const { name, local } of bindings) {
      if (name !== local && name !== "*") renamed.set(local, [name, number]);
    }
  }
  return renamed;
}

/** The receiver of a name that the file does not define. */
function receiverOf({ receiver }: NamedUse, language: string): string {
  const byName = BY_NAME + languageFamily(language);
  if (receiver === undefined) return byName;
  if (receiver !== OWN && receiver !== "?") return receiver;
  return CODE_NAME_RULES[language]?.hasMembersOutside === true ? byName : "?";
}

function namesIn(
  text: string,
  language: string,
  definitions: DefinitionsOfFile,
  imports: readonly Import[],
): readonly NamedUse[] {
  const rules = CODE_NAME_RULES[language];
  if (rules !== undefined) {
    const bound = imports.flatMap(({ bindings }) => bindings.map(({ local }) => local));
    const found = namesInCode(text, rules, definitions, new Set(bound));
    if (rules.importsDefinitions !== true) return found;
    return [...found, ...imports.map(moduleUse)];
  }
  if (language === "objc") return objcNames(text, definitions);
  if (language === "bash") return shellCommands(text);
  if (language === "makefile") return makefileTargets(text);
  return schemaTypes(text, language);
}
