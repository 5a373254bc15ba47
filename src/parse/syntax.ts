// Syntax trees from tree-sitter. The library has one WebAssembly heap per thread, so grammars belong to one
// thread too.
import { Language, Parser, type Node } from "web-tree-sitter";

import { MAX_PARSE_UNITS, ParseBudget } from "./parse-budget.ts";
import type { ParseProblem } from "./parse-problems.ts";
import { copyPiece, setParserText } from "./parser-input.ts";
import { provideMemory, type ParserMemory } from "./parser-memory.ts";

/** The members of the global that this file uses. Only the DOM library has its types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
  readonly Instance: new (module: WebAssembly.Module, imports: object) => WasmInstance;
};

interface WasmInstance {
  readonly exports: object;
}

/** The imports of the parser's WebAssembly module that are used or replaced here. */
interface ParserImports {
  readonly env: {
    readonly memory: ParserMemory;
    /** Writes text to `address`, and its length in UTF-16 code units to `lengthAddress`. */
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

/** The budget of the current text. */
let budget = new ParseBudget(0);

interface GrammarSource {
  /** `web-tree-sitter.wasm`. */
  readonly core: Uint8Array | WebAssembly.Module;
  /** Returns the grammar of a language, or undefined if there is none. Called once per language. */
  readonly grammar: (language: string) => Uint8Array | WebAssembly.Module | undefined;
  /** Maximum units of work per text; see parse-budget.ts. */
  readonly maxParseUnits?: number;
}

type Parsed<T> = { readonly value: T } | { readonly problem: ParseProblem };

/** The parsers of one thread. */
export interface Grammars {
  /**
   * Parses `text` and calls `read` with the root of its tree, which is deleted when `read` returns. Returns
   * the result of `read`, undefined if there is no grammar for the language, or a problem if the text or
   * grammar failed.
   */
  readonly parse: <T>(
    language: string,
    text: string,
    read: (root: Node) => T,
  ) => Parsed<T> | undefined;
  /** Returns true after a trap: nothing more can be parsed in this thread. */
  readonly isBroken: () => boolean;
}

/** Initializes the library and returns its parsers. Rejects if the library cannot be loaded. */
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
        // After a trap the heap may be corrupt, and all languages share it.
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
  // The parser reads its text from `setParserText`. This callback is only for `Node.text`.
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

/** Returns whether WebAssembly threw the error, not the code that reads the tree. */
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
    const grammar = source.grammar(id);
    return grammar && Language.loadSync(compiled(grammar));
  } catch {
    return { problem: "no-grammar" };
  }
}

function coreOptions(core: Uint8Array | WebAssembly.Module): Parameters<typeof Parser.init>[0] {
  const parser = compiled(core);
  return {
    instantiateWasm(
      imports: ParserImports,
      onInstance: (instance: WasmInstance, module: WebAssembly.Module) => void,
    ) {
      const { env } = imports;
      provideMemory(env.memory);
      // oxlint-disable-next-line max-params -- as above
      env.tree_sitter_parse_callback = (address, index, _row, _column, lengthAddress) => {
        // Some scanners look ahead to the end of the text at every character without reporting progress. They
        // read the text through this callback, so when the budget is spent, the text ends early for them.
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

function compiled(code: Uint8Array | WebAssembly.Module): WebAssembly.Module {
  // A copy, because the bytes of an asset may be in shared or read-only memory, which cannot be compiled.
  return code instanceof Uint8Array ? new WebAssembly.Module(new Uint8Array(code)) : code;
}
