// Reads what the files of a project have to do with style sheets: a style sheet itself, the style sheets inside of a component or a
// page, and the classes, ids and custom properties that markup and scripts use.

import { BY_STYLE_NAME, OF_ANY_STYLES, OF_OWN_STYLES } from "../../base/style-names.ts";
import { lineNumbers } from "../shared-names/named-text.ts";
import {
  sheetImport,
  type FileReferences,
  type Import,
  type Use,
} from "../references/references.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { templateDialect } from "../templates/template-dialects.ts";
import { attributeNames, shortNames, type MarkupName } from "./markup-names.ts";
import { moduleMembers, moduleNames, propertyNames, scriptNames } from "./script-names.ts";
import { styleBlocks, withoutBlocks, type StyleBlock } from "./style-blocks.ts";
import { styleSyntax } from "./style-dialect.ts";
import { NO_STYLES, type StyleDefinition, type StyleFacts, type StyleName } from "./style-facts.ts";
import { readStyleSheet } from "./style-sheet.ts";
import { ValueEnds } from "./value-end.ts";

/** A larger text is data or generated. */
const MAX_CHARS = 1_000_000;
/** A style sheet with longer lines on average is minified. */
const MAX_LINE = 300;
/** Maximum uses of classes in the markup of a file. */
const MAX_USES = 10_000;

/** Languages whose files have markup or scripts that use classes. */
const WITH_MARKUP = new Set("html vue svelte tsx javascript typescript php elixir".split(" "));
/** Languages whose files may have style sheets inside. */
const WITH_BLOCKS = new Set(["html", "vue", "svelte", "php"]);
const VENDORED = /(?:^|\/)(?:vendors?|vendored|third[-_]?party|node_modules|bower_components)\//i;
/** Style sheets whose classes only the components that import them use. */
const OF_ONE_COMPONENT = /\.(?:module|component)\.\w+$/;
const WITHOUT_TAGS = /\.(?:haml|slim|pug)$/i;
const PUG = /<template\b[^<>]{0,200}\blang=["']?pug/;

/** The symbols and references of a file. */
interface StyledFile {
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
}

/** Returns the symbols and references of a file with those of style sheets. */
export function withStyles(file: TextWithSymbols, references: FileReferences): StyledFile {
  const { symbols, text } = file;
  const plain = { symbols, references };
  if (text.length > MAX_CHARS) return plain;
  const { definitions, uses, imports } = stylesOf(file, references.imports);
  if (definitions.length + uses.length + imports.length === 0) return plain;
  const all = [...withAccess(symbols, definitions), ...newSymbols(definitions, symbols)];
  const ownerAt = definitionsByLine(all);
  const added = distinct(uses).map((use) =>
    useOf(use, use.isMention === true ? -1 : ownerAt(use.line)),
  );
  return {
    symbols: all,
    references: {
      ...references,
      ...noFacts(references, all.length),
      imports: [...references.imports, ...imports],
      uses: [...references.uses, ...added].toSorted((one, other) => one.line - other.line),
    },
  };
}

/** A file with types has one of each symbol. */
function noFacts(
  { types, signatures = [] }: FileReferences,
  count: number,
): Partial<Pick<FileReferences, "types" | "signatures">> {
  const filled = (texts: readonly string[]): readonly string[] =>
    Array.from({ length: count }, (_none, at) => texts[at] ?? "");
  return {
    ...(types.length > 0 && { types: filled(types) }),
    ...(signatures.length > 0 && { signatures: filled(signatures) }),
  };
}

function stylesOf(
  { path, language = "", text }: TextWithSymbols,
  imports: readonly Import[],
): StyleFacts {
  if (language === "css") return ofStyleSheet(path, text);
  const isRead = WITH_MARKUP.has(language) || templateDialect(path, language, text) !== undefined;
  return isRead ? ofMarkup({ path, language, text, imports }) : NO_STYLES;
}

function ofStyleSheet(path: string, text: string): StyleFacts {
  const syntax = styleSyntax(path.slice(path.lastIndexOf(".") + 1));
  if (syntax === undefined || isData(path, text)) return NO_STYLES;
  return readStyleSheet(text, { ...syntax, isScoped: OF_ONE_COMPONENT.test(path), firstLine: 1 });
}

/** Whether a style sheet is minified, or of a library that the project has a copy of. */
function isData(path: string, text: string): boolean {
  if (VENDORED.test(path)) return true;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.length / lines > MAX_LINE;
}

interface MarkupFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

function ofMarkup({ path, language, text, imports }: MarkupFile): StyleFacts {
  const blocks = WITH_BLOCKS.has(language)
    ? styleBlocks(text, { isScoped: language === "svelte" })
    : [];
  const inside = blocks.map((block) => ofBlock(text, block));
  const markup = withoutBlocks(text, blocks);
  const ends = new ValueEnds(markup);
  const names: (MarkupName & { readonly module?: string })[] = [
    ...attributeNames(markup, ends),
    ...(WITHOUT_TAGS.test(path) || (text.includes("<template") && PUG.test(text))
      ? shortNames(markup)
      : []),
    ...scriptNames(markup, ends),
    ...propertyNames(markup),
    ...moduleMembers(markup, moduleNames(imports)),
  ].slice(0, MAX_USES);
  names.sort((one, other) => one.at - other.at);
  const lineAt = lineNumbers(markup);
  const uses = names.map(({ name, at, module, isSought }): StyleName => ({
    name,
    line: lineAt(at),
    module,
    isSought,
  }));
  const linked = language === "html" ? linkedSheets(markup) : [];
  const sheets = [...linked, ...inside.flatMap((one) => one.imports)];
  return {
    definitions: inside.flatMap(({ definitions }) => definitions).flatMap(ofMarkupOnly),
    uses: [...uses, ...inside.flatMap((one) => one.uses), ...ownModuleUses(markup, blocks)],
    imports: sheets.map(({ module, line }) => sheetImport(module, line)),
  };
}

/**
 * What scripts name as well, such as a mixin, is no symbol of a component. The others are sections: the constants of a component are
 * those of its script.
 */
function ofMarkupOnly(definition: StyleDefinition): readonly StyleDefinition[] {
  return /^(?:[.#]|--)/.test(definition.name) ? [{ ...definition, kind: "section" }] : [];
}

function ofBlock(text: string, { start, end, options, source }: StyleBlock): StyleFacts {
  const read = options === undefined ? NO_STYLES : readStyleSheet(text.slice(start, end), options);
  if (source === undefined) return read;
  const line = options?.firstLine ?? 1;
  return { ...read, imports: [...read.imports, sheetImport(source, line)] };
}

/** `$style.wide` of Vue: the class in the component's own style sheet. */
function ownModuleUses(markup: string, blocks: readonly StyleBlock[]): readonly StyleName[] {
  const names = blocks.flatMap(({ moduleName }) => moduleName ?? []);
  const lineAt = lineNumbers(markup);
  return moduleMembers(markup, names)
    .toSorted((one, other) => one.at - other.at)
    .map(({ name, at }) => ({ name, line: lineAt(at), isOwn: true }));
}

const LINK = /<link\b[^<>]{0,500}?\bhref=["']([^"'\s<>{}]{1,300}\.css)(?:\?[^"'\s]{0,100})?["']/gi;

/** The style sheets that a page links to. */
function linkedSheets(text: string): readonly Import[] {
  if (!text.includes("<link")) return [];
  const lineAt = lineNumbers(text);
  return [...text.matchAll(LINK)].map(({ 1: module = "", index }) =>
    sheetImport(module, lineAt(index)),
  );
}

/** Of those that the outline has already, some are only for one component. */
function withAccess(
  symbols: readonly SymbolDefinition[],
  definitions: readonly StyleDefinition[],
): readonly SymbolDefinition[] {
  const scoped = new Set(
    definitions.flatMap(({ name, line, isScoped }) => (isScoped ? `${line} ${name}` : [])),
  );
  if (scoped.size === 0) return symbols;
  return symbols.map((one) =>
    scoped.has(`${one.nameLine} ${one.name}`) ? { ...one, access: "private" } : one,
  );
}

/** The outline has some of the definitions already. */
function newSymbols(
  definitions: readonly StyleDefinition[],
  symbols: readonly SymbolDefinition[],
): readonly SymbolDefinition[] {
  const known = new Set(symbols.map(({ name, nameLine }) => `${nameLine} ${name}`));
  return definitions.flatMap(({ name, kind, line, endLine, isScoped }): SymbolDefinition[] => {
    if (known.has(`${line} ${name}`)) return [];
    known.add(`${line} ${name}`);
    const place = { startLine: line, endLine, nameLine: line };
    const access = isScoped ? "private" : "internal";
    return [{ name, qualifiedName: name, kind, ...place, access, signature: "" }];
  });
}

function distinct(uses: readonly StyleName[]): readonly StyleName[] {
  const known = new Map(
    uses.map((use) => [`${use.line} ${use.name} ${use.module ?? ""}`, use] as const),
  );
  return [...known.values()];
}

function useOf(use: StyleName, owner: number): Use {
  const { name, line, isCall } = use;
  const role = isCall === true ? "call" : "value";
  return { name, line, role, owner, target: -1, binding: -1, receiver: receiverOf(use) };
}

function receiverOf({ module, isOwn, isSought }: StyleName): string {
  if (module !== undefined) return `${BY_STYLE_NAME}.${module}`;
  if (isOwn === true) return BY_STYLE_NAME + OF_OWN_STYLES;
  return isSought === true ? BY_STYLE_NAME + OF_ANY_STYLES : BY_STYLE_NAME;
}
