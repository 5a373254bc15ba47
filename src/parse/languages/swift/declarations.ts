// Reads the declarations of Swift.

import type { AccessLevel } from "../definition-rules.ts";
import { readAttributes } from "./parameters.ts";
import {
  readCases,
  readFunction,
  readSpecial,
  readVariables,
  type DeclarationHead,
} from "./members.ts";
import type { TypeContainer, SwiftFile } from "./swift-file.ts";
import { NAME, OPERATOR, WORD } from "./tokens.ts";
import { readType, readTypeArguments, readTypeParameters, readWhere } from "./types.ts";

/** The mark of an extension, and what the list of type parameters begins with, in `FileReferences.signatures`. */
const EXTENSION = "extension";

/** The mark of an associated type. */
const ASSOCIATED = "associatedtype";

/** Maximum modifiers and attributes of a declaration. */
const MAX_MODIFIERS = 60;

const MODIFIERS = new Set(
  `public private fileprivate internal open package static final override mutating nonmutating lazy weak unowned dynamic
   optional required convenience indirect prefix infix postfix nonisolated distributed isolated consuming borrowing async
   __consuming`.split(/\s+/),
);
const KEYWORDS = new Set(
  `class struct enum protocol extension func var let init deinit subscript typealias associatedtype import
   operator precedencegroup`.split(/\s+/),
);
/** Keywords only before a name. */
const SOFT_KEYWORDS = new Set(["actor", "macro"]);
const ACCESS: Readonly<Record<string, AccessLevel>> = {
  public: "exported",
  open: "exported",
  private: "private",
  fileprivate: "private",
  internal: "internal",
  package: "internal",
};

/** Returns whether a declaration begins at the current token. */
export function isDeclaration(file: SwiftFile): boolean {
  let offset = 0;
  for (let left = MAX_MODIFIERS; left > 0; left -= 1) {
    const kind = file.kindAt(offset);
    if (kind === 64) offset = afterAttribute(file, offset);
    else if (kind !== NAME && kind !== WORD) return false;
    else if (isModifier(file, offset)) {
      offset += 1;
      if (file.kindAt(offset) === 40 && file.isAdjacent(offset)) {
        offset = file.closer(file.at + offset) + 1 - file.at;
      }
    } else return isKeyword(file, offset);
  }
  return false;
}

function isKeyword(file: SwiftFile, offset: number): boolean {
  const text = file.textAt(offset);
  const isWord = file.kindAt(offset) === WORD;
  if (isWord && text === "case") return file.container.kind === "enum" && !file.isInFunction;
  // `init(…)` in a function calls it.
  if (isWord && text === "init") return !file.isInFunction;
  if (isWord) return KEYWORDS.has(text);
  return (
    SOFT_KEYWORDS.has(text) && file.kindAt(offset + 1) === NAME && !file.isAdjacent(offset + 1)
  );
}

function isModifier(file: SwiftFile, offset: number): boolean {
  const text = file.textAt(offset);
  if (text === "class" && file.kindAt(offset) === WORD) {
    const next = file.textAt(offset + 1);
    return /^(?:func|var|let|subscript|override|final|private|public|open)$/.test(next);
  }
  if (!MODIFIERS.has(text)) return false;
  const next = file.kindAt(offset + 1);
  return (
    next === NAME || next === WORD || next === 64 || (next === 40 && file.isAdjacent(offset + 1))
  );
}

function afterAttribute(file: SwiftFile, start: number): number {
  let offset = start + 2;
  while (file.kindAt(offset) === 46) offset += 2;
  if (file.kindAt(offset) === 40 && file.isAdjacent(offset)) {
    offset = file.closer(file.at + offset) + 1 - file.at;
  }
  return offset;
}

/** Reads the declaration at the current token. */
export function readDeclaration(file: SwiftFile): void {
  const start = file.at;
  let access = file.container.access;
  let isExported = false;
  readAttributes(file);
  const head = file.at;
  for (;;) {
    if (file.kind === 64) {
      isExported ||= file.textAt(1) === "_exported";
      readAttributes(file);
    } else if (isModifier(file, 0)) {
      const { text } = file;
      file.at += 1;
      const isOfSetter = file.kind === 40 && file.textAt(1) === "set";
      if (!isOfSetter) access = ACCESS[text] ?? access;
      if (file.kind === 40) file.skipBrackets();
    } else break;
  }
  readByKeyword(file, { access, start, head }, isExported);
}

function readByKeyword(file: SwiftFile, head: DeclarationHead, isExported: boolean): void {
  const { text } = file;
  if (text === "init" || text === "deinit" || text === "subscript") {
    readSpecial(file, head);
    return;
  }
  file.at += 1;
  switch (text) {
    case "func":
    case "macro":
      readFunction(file, head);
      return;
    case "var":
    case "let":
      readVariables(file, head);
      return;
    case "case":
      readCases(file, head);
      return;
    case "extension":
      readExtension(file, head);
      return;
    case "typealias":
    case "associatedtype":
      readAlias(file, head, text === "associatedtype");
      return;
    case "import":
      readImport(file, isExported);
      return;
    case "operator":
    case "precedencegroup":
      skipOperator(file);
      return;
    default:
      readTypeDeclaration(file, head, text);
  }
}

function skipOperator(file: SwiftFile): void {
  const { line } = file;
  while (file.line === line && file.kind !== 123 && file.kind !== 0) file.at += 1;
  if (file.kind === 123) file.skipBrackets();
}

/** `import struct A.B` */
function readImport(file: SwiftFile, isReexport: boolean): void {
  const { line } = file;
  if (
    file.kind === WORD ||
    (file.kind === NAME && file.kindAt(1) === NAME && file.tokens.lines[file.at + 1] === line)
  ) {
    file.at += 1;
  }
  const parts: string[] = [];
  while (file.kind === NAME && file.line === line) {
    parts.push(file.text);
    file.at += 1;
    if (!file.take(46)) break;
  }
  if (parts.length === 0) return;
  const module = parts.join(".");
  file.imports.push({ line, module, bindings: [], isWildcard: true, isReexport });
}

function readAlias(file: SwiftFile, head: DeclarationHead, isAssociated: boolean): void {
  const { text: name, at: nameIndex } = file;
  const isSymbol = !file.isInFunction;
  const number = isSymbol ? file.addSymbol({ ...head, name, nameIndex, kind: "type" }) : -1;
  const { owner } = file;
  if (isSymbol) file.owner = number;
  else file.declare(name, "", true);
  if (isSymbol && isAssociated) file.signatures[number] = ASSOCIATED;
  file.at += 1;
  file.inScope(() => {
    const parameters = typeParametersText(file);
    if (isAssociated && file.take(58)) readInherited(file);
    if (file.takeWord("=")) {
      const type = readType(file);
      if (isSymbol && !isAssociated && /^[@#]/.test(type)) file.types[number] = type;
      if (isSymbol && type.startsWith("^")) file.signatures[number] = type;
      else if (isSymbol && parameters !== "") file.signatures[number] = parameters;
    }
    readWhere(file);
  });
  file.owner = owner;
  file.endSymbol(number);
}

/** Reads the types after a colon. */
function readInherited(file: SwiftFile): void {
  do {
    readType(file, "inherit");
  } while (file.take(44));
}

function readExtension(file: SwiftFile, head: DeclarationHead): void {
  const nameIndex = file.at;
  const parts: string[] = [];
  let last = nameIndex;
  for (let offset = 0; file.kindAt(offset) === NAME; offset += 2) {
    parts.push(file.textAt(offset));
    last = file.at + offset;
    if (file.kindAt(offset + 1) !== 46) break;
  }
  const name = parts.at(-1) ?? "";
  const outer = file.container;
  const access = head.access;
  file.container = { ...outer, name: parts.slice(0, -1).join(".") };
  const number = file.addSymbol({
    ...head,
    access: "internal",
    name,
    nameIndex: last,
    kind: "class",
  });
  file.container = outer;
  file.signatures[number] = EXTENSION;
  const { owner } = file;
  file.owner = number;
  readType(file);
  file.owner = owner;
  readTypeBody(file, number, { name: parts.join("."), kind: "class", access });
}

const KINDS: Readonly<Record<string, TypeContainer["kind"]>> = {
  enum: "enum",
  protocol: "protocol",
};

function readTypeDeclaration(file: SwiftFile, head: DeclarationHead, keyword: string): void {
  const { text: name, at: nameIndex } = file;
  const containerKind = KINDS[keyword] ?? "class";
  const isLocal = file.isInFunction;
  file.at += 1;
  if (isLocal) {
    file.declare(name, "", true);
    file.inScope(() => {
      readTypeParameters(file);
      readTypeBody(file, -1, { name: "", kind: containerKind, access: "private" });
    });
    return;
  }
  const kind = containerKind === "class" ? "class" : "type";
  const number = file.addSymbol({ ...head, name, nameIndex, kind });
  const { qualifiedName = name } = file.symbols[number] ?? {};
  const access = membersAccess(head.access, containerKind);
  const container: TypeContainer = { name: qualifiedName, kind: containerKind, access };
  file.withoutLocals(() => {
    file.inScope(() => {
      if (containerKind === "protocol") readTypeArguments(file);
      else file.signatures[number] = typeParametersText(file);
      readTypeBody(file, number, container);
    });
  });
}

/** The members of a protocol are as visible as it is, and so are the cases of an enum. */
function membersAccess(access: AccessLevel, kind: TypeContainer["kind"]): AccessLevel {
  if (access === "private") return "private";
  return kind === "protocol" ? access : "internal";
}

/** Reads the list of type parameters. Returns their names as `<A,B>`. */
function typeParametersText(file: SwiftFile): string {
  if (!file.is("<")) return "";
  const names: string[] = [];
  let depth = 0;
  for (let offset = 0; ; offset += 1) {
    const kind = file.kindAt(offset);
    if (kind === 0 || kind === 123) break;
    if (kind === OPERATOR) {
      for (const character of file.textAt(offset)) {
        if (character === "<") depth += 1;
        if (character === ">") depth -= 1;
      }
      if (depth <= 0) break;
    }
    const before = file.kindAt(offset - 1);
    if (depth === 1 && kind === NAME && (before === OPERATOR || before === 44))
      names.push(file.textAt(offset));
  }
  readTypeParameters(file, { isOfType: true });
  return `<${names.join(",")}>`;
}

/** Reads what follows the name of a type or of an extension. */
function readTypeBody(file: SwiftFile, number: number, container: TypeContainer): void {
  const outer = {
    owner: file.owner,
    self: file.self,
    container: file.container,
    result: file.result,
    isInFunction: file.isInFunction,
  };
  if (number !== -1) file.owner = number;
  file.self = number === -1 ? "" : `#${number}`;
  if (file.take(58)) readInherited(file);
  readWhere(file);
  file.endHead(number);
  if (file.kind === 123) {
    const end = file.closer();
    file.container = container;
    file.at += 1;
    file.inScope(() => readBody(file, end), end);
    file.at = end + 1;
  }
  Object.assign(file, outer);
  file.endSymbol(number);
}

function readBody(file: SwiftFile, end: number): void {
  while (file.at < end) {
    const before = file.at;
    if (isDeclaration(file)) readDeclaration(file);
    else if (file.kind === 35) file.read.expression(file);
    if (file.at === before) file.at += 1;
  }
}
