import { c } from "./c.ts";
import { cpp } from "./cpp.ts";
import { csharp } from "./csharp.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { haskell } from "./haskell.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { kotlin } from "./kotlin.ts";
import type { LanguageRules } from "./language.ts";
import { lua } from "./lua.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { typescript } from "./typescript.ts";
import { zig } from "./zig.ts";

/** The languages with a grammar; keys are the ids under which grammars are asked for. */
export const RULES: ReadonlyMap<string, LanguageRules> = new Map([
  ["typescript", typescript],
  ["tsx", typescript],
  ["javascript", javascript],
  ["python", python],
  ["go", go],
  ["java", java],
  ["kotlin", kotlin],
  ["rust", rust],
  ["c", c],
  ["cpp", cpp],
  ["csharp", csharp],
  ["php", php],
  ["ruby", ruby],
  ["elixir", elixir],
  ["lua", lua],
  ["haskell", haskell],
  ["zig", zig],
]);
