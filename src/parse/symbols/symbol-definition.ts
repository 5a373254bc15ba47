import type { AccessLevel, SymbolKind } from "../languages/definition-rules.ts";

export interface SymbolDefinition {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  readonly startLine: number;
  readonly endLine: number;
  /** Line on which the name stands. */
  readonly nameLine: number;
  readonly access: AccessLevel;
  /** One line of at most 200 characters; "" in a file that was cut by structure. */
  readonly signature: string;
  /** First line of the documentation. */
  readonly docLine?: string;
}
