// Reads the symbols and references of a file of Swift, without a grammar (docs/decisions/0145).

import type { FileReferences } from "../../references/references.ts";
import type { SymbolDefinition } from "../../symbols/symbol-definition.ts";
import { readArguments } from "./calls.ts";
import { readClosure } from "./closures.ts";
import { readExpression } from "./expressions.ts";
import { readBranches, readStatements } from "./statements.ts";
import { SwiftFile, type PartReaders } from "./swift-file.ts";

const READERS: PartReaders = {
  expression: readExpression,
  closure: readClosure,
  statements: readStatements,
  branches: readBranches,
  arguments: (file, type) => readArguments(file, { expression: type }, []),
};

/** The symbols of a file, and its references. */
export interface SwiftContents {
  readonly symbols: readonly SymbolDefinition[];
  readonly references: FileReferences;
}

/** Reads a file. `maxSignatureChars`: few by default. */
export function parseSwift(text: string, maxSignatureChars?: number): SwiftContents {
  const file = new SwiftFile(text, READERS, maxSignatureChars);
  const end = file.tokens.kinds.length - 1;
  while (file.at < end) {
    const before = file.at;
    file.inScope(() => readStatements(file, end));
    if (file.at === before) file.at += 1;
  }
  const { symbols, imports, types, signatures } = file;
  const uses = file.uses.toSorted((one, other) => one.line - other.line);
  const isMarked = signatures.some((one) => one !== "");
  const references = { uses, imports, types, package: "", ...(isMarked && { signatures }) };
  return { symbols, references };
}
