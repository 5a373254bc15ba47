import type { Language } from "web-tree-sitter";

import { elixirReferences } from "./elixir/references.ts";
import { goReferences } from "./go/references.ts";
import { cReferences } from "./c/references.ts";
import { cppReferences } from "./cpp/references.ts";
import { dartReferences } from "./dart/references.ts";
import { haskellReferences } from "./haskell/references.ts";
import { javaReferences } from "./java/references.ts";
import { csharpReferences } from "./csharp/references.ts";
import { javascriptReferences } from "./javascript/references.ts";
import { kotlinReferences } from "./kotlin/references.ts";
import { luaReferences } from "./lua/references.ts";
import { phpReferences } from "./php/references.ts";
import { pythonReferences } from "./python/references.ts";
import { commonReferences } from "./reference-rules-common.ts";
import { rubyReferences } from "./ruby/references.ts";
import type { ReferenceRules } from "./reference-rules.ts";
import { rustReferences } from "./rust/references.ts";
import { scalaReferences } from "./scala/references.ts";
import { terraformReferences } from "./terraform/references.ts";
import { solidityReferences } from "./solidity/references.ts";
import { svelteReferences } from "./svelte/references.ts";
import { typescriptReferences } from "./typescript/references.ts";
import { vueReferences } from "./vue/references.ts";
import { zigReferences } from "./zig/references.ts";

const REFERENCE_RULES: ReadonlyMap<string, ReferenceRules> = new Map([
  ["typescript", typescriptReferences],
  ["tsx", typescriptReferences],
  ["vue", vueReferences],
  ["svelte", svelteReferences],
  ["javascript", javascriptReferences],
  ["python", pythonReferences],
  ["c", cReferences],
  ["cpp", cppReferences],
  ["dart", dartReferences],
  ["elixir", elixirReferences],
  ["haskell", haskellReferences],
  ["kotlin", kotlinReferences],
  ["lua", luaReferences],
  ["ruby", rubyReferences],
  ["php", phpReferences],
  ["csharp", csharpReferences],
  ["go", goReferences],
  ["java", javaReferences],
  ["rust", rustReferences],
  ["scala", scalaReferences],
  ["terraform", terraformReferences],
  ["zig", zigReferences],
]);

/** Returns the rules of a grammar. For a grammar without rules, derives them from its node types. */
export function referenceRulesFor(id: string, language: Language): ReferenceRules {
  const rules = REFERENCE_RULES.get(id);
  if (rules !== undefined) return rules;
  const common = commonReferences(language);
  return id === "solidity" ? solidityReferences(common) : common;
}
