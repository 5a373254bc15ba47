import { readAsset } from "../base/assets.ts";
import { GRAMMAR_FILES } from "../base/grammar-files.ts";
import { createGrammars, type Grammars } from "../chunk/syntax.ts";

let grammars: Promise<Grammars> | undefined;

/** The grammars packed into the program, loaded one by one when first needed. One set per thread. */
export function packedGrammars(): Promise<Grammars> {
  grammars ??= createGrammars({
    core: readAsset("tree-sitter.wasm"),
    grammar: (language) =>
      language in GRAMMAR_FILES ? readAsset(`grammar/${language}.wasm`) : undefined,
  });
  return grammars;
}
