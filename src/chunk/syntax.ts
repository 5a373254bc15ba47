// Syntax trees from tree-sitter. The library keeps one WebAssembly heap per thread, so do these.
import { Language, Parser, type Node } from "web-tree-sitter";

/** The part of the global that is used here; its types come with the DOM library only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
  readonly Instance: new (module: WebAssembly.Module, imports: object) => Instance;
};

interface Instance {
  readonly exports: object;
}

/**
 * A megabyte of source takes 0.2 s, of Scala 1.7 s; what takes longer has hit a quadratic case.
 * This clock is the one thing that can make the chunks of a text differ from run to run.
 */
const TIME_LIMIT_MS = 2000;
/**
 * Brackets nested deeper than this are not parsed. Where every level is ambiguous (`{-{-{-` in Go
 * or C) the parser recurses once per level, and between 700 and 1000 levels it overwrites its own
 * memory. None of 8,900 source files measured comes to 500, brackets in strings included.
 */
const NESTING_LIMIT = 500;

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
      if (isNestedDeeply(text)) return { problem: "brackets are nested too deeply for the parser" };
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
  // Some scanners look ahead to the end of the text at every character without ever reporting
  // progress, but they must come here for the text: for them it then ends early.
  let isReading = true;
  const input = (index: number): string => (isReading && checkTime() ? "" : text.slice(index));
  const tree = parser.parse(input, null, { progressCallback: checkTime });
  isReading = false;
  try {
    if (tree !== null && !isLate) return { value: read(tree.rootNode) };
    parser.reset();
    return { problem: "the parser did not come to an end in time" };
  } finally {
    tree?.delete();
  }
}

function isNestedDeeply(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // ( [ {
    if (code === 40 || code === 91 || code === 123) {
      depth += 1;
      if (depth > NESTING_LIMIT) return true;
    } else if (code === 41 || code === 93 || code === 125) {
      depth = Math.max(0, depth - 1);
    }
  }
  return false;
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
  if (core instanceof Uint8Array) return { wasmBinary: ownBytes(core) };
  return {
    instantiateWasm(
      imports: object,
      onInstance: (instance: Instance, module: WebAssembly.Module) => void,
    ) {
      const instance = new WebAssembly.Instance(core, imports);
      onInstance(instance, core);
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
