// Reads the parameters of functions and of enum cases. Their text in `FileReferences.signatures` is
// `~label:type;label:type=`, with "..." for variadic ones and "=" for those with a default.

import type { SwiftFile } from "./swift-file.ts";
import { NAME, OPERATOR, WORD } from "./tokens.ts";
import { FUNCTION_TYPE, readType } from "./types.ts";

/** What the text of parameters begins with. */
const PARAMETERS = "~";

/** Reads a list in parentheses, declares the names and returns the text of the list. */
export function readParameters(file: SwiftFile, { isCase = false } = {}): string {
  if (file.kind !== 40) return PARAMETERS;
  const end = file.closer();
  const texts: string[] = [];
  file.at += 1;
  file.inBrackets(() => {
    while (file.at < end) {
      const before = file.at;
      texts.push(readParameter(file, isCase));
      while (file.at < end && file.kind !== 44) file.at += 1;
      if (!file.take(44) && file.at === before) break;
    }
  });
  file.at = end + 1;
  return PARAMETERS + texts.join(";");
}

function readParameter(file: SwiftFile, isCase: boolean): string {
  readAttributes(file);
  let label = "_";
  let name = "_";
  if (isName(file, 0) && (file.kindAt(1) === 58 || (isName(file, 1) && file.kindAt(2) === 58))) {
    label = file.text;
    name = file.kindAt(1) === 58 ? label : file.textAt(1);
    file.at += file.kindAt(1) === 58 ? 2 : 3;
  } else if (!isCase) return "_:";
  const type = readType(file);
  const isVariadic = file.is("...", -1);
  const value = type.startsWith(FUNCTION_TYPE) ? "" : type;
  let mark = isVariadic ? "..." : "";
  if (file.kind === OPERATOR && file.is("=")) {
    file.at += 1;
    file.read.expression(file, value);
    mark = "=";
  }
  if (!isCase) file.declare(name, value);
  return `${label}:${type}${mark}`;
}

function isName(file: SwiftFile, offset: number): boolean {
  const kind = file.kindAt(offset);
  return kind === NAME || kind === WORD;
}

/** Reads attributes, as `@ViewBuilder`. Those with capitals are uses. */
export function readAttributes(file: SwiftFile): void {
  while (file.kind === 64) {
    file.at += 1;
    let name = file.text;
    let { at } = file;
    file.at += 1;
    let receiver = "";
    while (file.kindAt(0) === 46 && file.kindAt(1) === NAME) {
      file.addUse(name, at, { role: "type", receiver });
      receiver = receiver === "" ? name : `${receiver}.${name}`;
      name = file.textAt(1);
      at = file.at + 1;
      file.at += 2;
    }
    readAttribute(file, { name, at, receiver });
  }
}

function readAttribute(
  file: SwiftFile,
  { name, at, receiver }: { readonly name: string; readonly at: number; readonly receiver: string },
): void {
  const isOwn = /^\p{Lu}/u.test(name);
  if (isOwn) file.addUse(name, at, { role: "type", receiver });
  if (file.is("<") && file.isAdjacent()) readTypeList(file);
  if (file.kind !== 40 || !file.isAdjacent()) return;
  if (isOwn) file.read.arguments(file, receiver === "" ? name : `${receiver}.${name}`);
  else file.skipBrackets();
}

function readTypeList(file: SwiftFile): void {
  do {
    file.at += 1;
    readType(file);
  } while (file.kind === 44);
  if (file.begins(">")) file.takeCharacter();
}
