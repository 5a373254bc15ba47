import { setFlagsFromString } from "node:v8";

import { grammarAsset, readAsset } from "../base/assets.ts";
import { createGrammars, type Grammars } from "../parse/syntax.ts";
import { compileGrammar } from "./grammar-module.ts";

let grammars: Promise<Grammars> | undefined;

/** The grammars bundled with the program, each loaded on first use. One set per thread. */
export function packedGrammars(): Promise<Grammars> {
  grammars ??= loadGrammars();
  return grammars;
}

function loadGrammars(): Promise<Grammars> {
  cacheCompiledCode();
  const modules = new Map<string, WebAssembly.Module>();
  return createGrammars({
    core: readAsset("tree-sitter.wasm"),
    grammar(language) {
      const asset = grammarAsset(language);
      if (asset === undefined) return undefined;
      const grammar = modules.get(asset) ?? compileGrammar(readAsset(asset));
      modules.set(asset, grammar);
      return grammar;
    },
  });
}

/**
 * Stops V8 from freeing compiled WebAssembly code before its module. When threads start and end, V8 frees the
 * wrappers for calls from a module into JavaScript twice, and the process ends with SIGTRAP or SIGSEGV
 * (`WasmImportWrapperCache::Free`; https://github.com/nodejs/node/issues/64500, docs/decisions/0040).
 * Not set as an option of the program, because V8 then rejects the code cache of Node's own modules.
 */
function cacheCompiledCode(): void {
  setFlagsFromString("--no-wasm-code-gc");
}
