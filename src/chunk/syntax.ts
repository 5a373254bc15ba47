// Syntax trees from tree-sitter. The library keeps one WebAssembly heap per thread, so do these.
import { Language, Parser, type Node } from "web-tree-sitter";

import { putPiece, takeText } from "./parser-input.ts";
import { provideMemory, type ParserMemory } from "./parser-memory.ts";

/** The part of the global that is used here; its types come with the DOM library only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
  readonly Instance: new (module: WebAssembly.Module, imports: object) => Instance;
};

interface Instance {
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

/**
 * A megabyte of source takes 0.2 s, of Scala 1.7 s; what takes longer has hit a quadratic case.
 * This clock is the one thing that can make the chunks of a text differ from run to run.
 */
const TIME_LIMIT_MS = 2000;

/** Whether the time of the text that is parsed is over. */
let isOver = (): boolean => false;

interface GrammarSource {
  /** `web-tree-sitter.wasm`. */
  readonly core: Uint8Array | WebAssembly.Module;
  /** The grammar of a language, asked for once; undefined when there is none. */
  readonly grammar: (language: string) => Uint8Array | undefined;
  readonly timeLimitMs?: number;
}

type Parsed<T> = { readonly value: T } | { readonly problem: string };

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
}

export async function createGrammars(source: GrammarSource): Promise<Grammars> {
  await Parser.init(coreOptions(source.core));
  const languages = new Map<string, Language | { problem: string } | undefined>();
  const parsers = new Map<Language, Parser>();
  let isBroken = false;

  const languageOf = (id: string): Language | { problem: string } | undefined => {
    if (!languages.has(id)) languages.set(id, loadLanguage(id, source));
    return languages.get(id);
  };

  return {
    parse(id, text, read) {
      const language = languageOf(id);
      if (!(language instanceof Language)) return language;
      if (isBroken) return { problem: "the parser is out of use since it failed on another file" };
      if (!takeText(text)) return { problem: "brackets are nested too deeply for the parser" };
      try {
        const parser = parsers.get(language) ?? new Parser().setLanguage(language);
        parsers.set(language, parser);
        return parseWith(parser, { text, limitMs: source.timeLimitMs ?? TIME_LIMIT_MS }, read);
      } catch (thrown) {
        // After a trap the heap may hold anything, and it is shared by all languages.
        isBroken = isTrap(thrown);
        return { problem: `the parser failed: ${messageOf(thrown)}` };
      }
    },
  };
}

function parseWith<T>(
  parser: Parser,
  { text, limitMs }: { text: string; limitMs: number },
  read: (root: Node) => T,
): Parsed<T> {
  const deadline = performance.now() + limitMs;
  let isLate = false;
  const checkTime = (): boolean => {
    isLate ||= performance.now() >= deadline;
    return isLate;
  };
  isOver = checkTime;
  // The parser has its text from `takeText`; nodes that are asked for theirs have it from here.
  const tree = parser.parse((index) => text.slice(index), null, { progressCallback: checkTime });
  try {
    if (tree !== null && !isLate) return { value: read(tree.rootNode) };
    parser.reset();
    return { problem: "the parser did not come to an end in time" };
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
): Language | { problem: string } | undefined {
  try {
    const bytes = source.grammar(id);
    return bytes && Language.loadSync(new WebAssembly.Module(ownBytes(bytes)));
  } catch (thrown) {
    return { problem: `the grammar could not be loaded: ${messageOf(thrown)}` };
  }
}

function coreOptions(core: Uint8Array | WebAssembly.Module): Parameters<typeof Parser.init>[0] {
  const parser = core instanceof Uint8Array ? new WebAssembly.Module(ownBytes(core)) : core;
  return {
    instantiateWasm(
      imports: ParserImports,
      onInstance: (instance: Instance, module: WebAssembly.Module) => void,
    ) {
      const { env } = imports;
      provideMemory(env.memory);
      // oxlint-disable-next-line max-params -- as above
      env.tree_sitter_parse_callback = (address, index, _row, _column, lengthAddress) => {
        // Some scanners look ahead to the end of the text at every character without ever reporting
        // progress, but they must come here for the text: for them it then ends early.
        const { buffer } = env.memory;
        const count = isOver() ? 0 : putPiece(buffer, address, index);
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

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
