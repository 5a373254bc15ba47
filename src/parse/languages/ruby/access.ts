// Access rules of Ruby: sections such as `private`, and statements that name methods.
import type { Node } from "web-tree-sitter";

import type { AccessLevel, AccessChange, AccessFacts } from "../definition-rules.ts";

const STATEMENT =
  /(private|protected|public)(?:_constant|_class_method)?\b(?:[ \t]*\(?[ \t]*(?:def\s+(?:self\.)?([\w?!=]+)|((?::[\w?!=]+[\s,]*)+)))?/y;
const ACCESSES: Readonly<Record<string, AccessLevel>> = {
  public: "exported",
  protected: "internal",
  private: "private",
};

/** Returns the access of a definition by the section that contains it. */
export function rubyMemberAccess({ kind, section }: AccessFacts): AccessLevel {
  // Sections apply only to methods. Constants and classes are made private by name.
  return (kind === "method" ? section : undefined) ?? "exported";
}

/** Reads `private`, `private def name`, `private :a, :b`, `private_constant :A`. */
export function rubyAccessChange(statement: Node, text: string): AccessChange | undefined {
  if (text[statement.startIndex] !== "p") return undefined;
  STATEMENT.lastIndex = statement.startIndex;
  const match = STATEMENT.exec(text);
  const access = ACCESSES[match?.[1] ?? ""];
  if (match === null || access === undefined) return undefined;
  const [statementText, , defined, listed] = match;
  const isAlone = statementText.length === statement.endIndex - statement.startIndex;
  if (defined !== undefined) return { access, names: new Set([defined]) };
  if (listed !== undefined) return { access, names: new Set(listed.match(/[\w?!=]+/g)) };
  return isAlone && !statementText.includes("_") ? { access } : undefined;
}
