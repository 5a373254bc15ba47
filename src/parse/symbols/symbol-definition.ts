import type { AccessLevel, SymbolKind } from "../languages/definition-rules.ts";

/** A definition of a file. Lines are 1-based and inclusive. */
export interface SymbolDefinition {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  /** The line with the name. */
  readonly nameLine: number;
  readonly access: AccessLevel;
  /** One line of up to 200 characters; "" in a file that was parsed without a grammar. */
  readonly signature: string;
  /** The first line of the documentation. */
  readonly docLine?: string;
}
