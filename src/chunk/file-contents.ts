// What parsing a file returns.
import type { ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { FileReferences } from "../parse/references/references.ts";
import type { SymbolDefinition } from "../parse/symbols/symbol-definition.ts";

/** The outline of a file, and the references in it. */
export interface FileContents {
  readonly outline: ParsedOutline;
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
}
