// Syntax trees from tree-sitter. The library keeps one WebAssembly heap per thread, so do these.
import { Language, Parser, type Node } from "web-tree-sitter";

import { MAX_PARSE_UNITS, ParseBudget } from "./parse-budget.ts";
import type { ParseProblem } from "./parse-problems.ts";
import { copyPiece, setParserText } from "./parser-input.ts";
import { provideMemory, type ParserMemory } from "./parser-memory.ts";

/** The part of the global that is used here; its types come with the DOM library only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
  readonly Instance: new (module: WebAssembly.Module, imports: object) => WasmInstance;
};

interface WasmInstance {
  readonly exports: object;
}

/** What the parser calls and uses of the library, as far as it is of interest here. */
interface ParserImports {
  readonly env: {
    readonly memory: ParserMemory;
    /** Puts text to `address` and the number of its UTF-16 units to `lengthAddress`. */
    // oxlint-disable-next-line max-params -- the parser's own
    tree_sitter_parse_callback: (
      address: number,
      index: number,
      row: number,
      column: number,
      lengthAddress: number,
    ) => void;
  };
}

/** What was done for the text that is parsed now; replaced for each. */
let budget = new ParseBudget(0);

interface GrammarSource {
  /** `web-tree-sitter.wasm`. */
  readonly core: Uint8Array | WebAssembly.Module;
  /** The grammar of a language, asked for once; undefined when there is none. */
  readonly grammar: (language: string) => Uint8Array | undefined;
  /** Units of work for one text, see parse-budget.ts. */
  readonly maxParseUnits?: number;
}

type Parsed<T> = { readonly value: T } | { readonly problem: ParseProblem };

export interface Grammars {
  /**
   * Parses `text` and gives the root of its tree to `read`; the tree is gone when that returns.
   * Undefined when there is no grammar for the language, a problem when text or grammar failed.
   */
  readonly parse: <T>(
    language: string,
    text: string,
    read: (root: Node) => T,
  ) => Parsed<T> | undefined;
  /** After a trap nothing more can be parsed in this thread. */
  readonly isBroken: () => boolean;
}

export async function createGrammars(source: GrammarSource): Promise<Grammars> {
  await Parser.init(coreOptions(source.core));
  const languages = new Map<string, Language | { problem: ParseProblem } | undefined>();
  const parsers = new Map<Language, Parser>();
  let isBroken = false;

  const languageOf = (id: string): Language | { problem: ParseProblem } | undefined => {
    if (!languages.has(id)) languages.set(id, loadLanguage(id, source));
    return languages.get(id);
  };

  return {
    parse(id, text, read) {
      const language = languageOf(id);
      if (!(language instanceof Language)) return language;
      if (isBroken) return { problem: "parser-stopped" };
      if (!setParserText(text)) return { problem: "nesting" };
      try {
        const parser = parsers.get(language) ?? new Parser().setLanguage(language);
        parsers.set(language, parser);
        return parseWith(parser, { text, limit: source.maxParseUnits ?? MAX_PARSE_UNITS }, read);
      } catch (thrown) {
        // After a trap the heap may hold anything, and it is shared by all languages.
        isBroken = isTrap(thrown);
        return { problem: "parser-failed" };
      }
    },
    isBroken: () => isBroken,
  };
}

function parseWith<T>(
  parser: Parser,
  { text, limit }: { text: string; limit: number },
  read: (root: Node) => T,
): Parsed<T> {
  const work = new ParseBudget(limit);
  budget = work;
  // The parser has its text from `setParserText`; nodes that are asked for theirs have it from here.
  const tree = parser.parse((index) => text.slice(index), null, {
    progressCallback: () => work.countSteps(),
  });
  try {
    if (tree !== null && !work.isSpent) return { value: read(tree.rootNode) };
    parser.reset();
    return { problem: "budget" };
  } finally {
    tree?.delete();
  }
}

/** Errors that come out of WebAssembly and not out of the code that reads the tree. */
function isTrap(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.name === "RuntimeError" || thrown.name === "RangeError")
  );
}

function loadLanguage(
  id: string,
  source: GrammarSource,
): Language | { problem: ParseProblem } | undefined {
  try {
    const bytes = source.grammar(id);
    return bytes && Language.loadSync(new WebAssembly.Module(ownBytes(bytes)));
  } catch {
    return { problem: "no-grammar" };
  }
}

function coreOptions(core: Uint8Array | WebAssembly.Module): Parameters<typeof Parser.init>[0] {
  const parser = core instanceof Uint8Array ? new WebAssembly.Module(ownBytes(core)) : core;
  return {
    instantiateWasm(
      imports: ParserImports,
      onInstance: (instance: WasmInstance, module: WebAssembly.Module) => void,
    ) {
      const { env } = imports;
      provideMemory(env.memory);
      // oxlint-disable-next-line max-params -- as above
      env.tree_sitter_parse_callback = (address, index, _row, _column, lengthAddress) => {
        // Some scanners look ahead to the end of the text at every character without ever reporting
        // progress, but they must come here for the text: for them it then ends early.
        const { buffer } = env.memory;
        const count = budget.isSpent ? 0 : copyPiece(buffer, address, index);
        budget.countPiece(index, count);
        new Int32Array(buffer, lengthAddress, 1)[0] = count;
      };
      const instance = new WebAssembly.Instance(parser, imports);
      onInstance(instance, parser);
      return instance.exports;
    },
  };
}

/** The bytes of an asset may lie in memory that is shared or read-only; compiling wants its own. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
