import type { SymbolDefinition } from "./symbol-definition.ts";

/** A file and its definitions. */
export interface TextWithSymbols {
  readonly path: string;
  readonly language: string | undefined;
  readonly text: string;
  readonly symbols: readonly SymbolDefinition[];
}
