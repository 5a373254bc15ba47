import { setFlagsFromString } from "node:v8";

import { readAsset } from "../base/assets.ts";
import { GRAMMAR_FILES } from "../base/grammar-files.ts";
import { createGrammars, type Grammars } from "../parse/syntax.ts";

let grammars: Promise<Grammars> | undefined;

/** The grammars packed into the program, loaded one by one when first needed. One set per thread. */
export function packedGrammars(): Promise<Grammars> {
  grammars ??= loadGrammars();
  return grammars;
}

function loadGrammars(): Promise<Grammars> {
  cacheCompiledCode();
  return createGrammars({
    core: readAsset("tree-sitter.wasm"),
    grammar: (language) =>
      language in GRAMMAR_FILES ? readAsset(`grammar/${language}.wasm`) : undefined,
  });
}

/**
 * Keeps V8 from freeing what it has compiled of WebAssembly before the module itself goes. Where threads come
 * and go, it frees the code that calls from a module into JavaScript twice, and the process ends with SIGTRAP
 * or SIGSEGV (`WasmImportWrapperCache::Free`; https://github.com/nodejs/node/issues/64500, docs/decisions/0040).
 * Not among the options of the program: V8 then refuses the code cache of Node's own modules.
 */
function cacheCompiledCode(): void {
  setFlagsFromString("--no-wasm-code-gc");
}
