// Edits JSON that people wrote by hand. Comments, trailing commas, order, indentation and line breaks of everything
// else are kept. Every edit is one insertion, removal or replacement in the text.
import {
  evaluate,
  type DocumentNode,
  type MemberNode,
  type ObjectNode,
} from "@humanwhocodes/momoa";

import type { ConfigFormat } from "./config-format.ts";
import {
  documentOf,
  isComma,
  isComment,
  memberOf,
  requireObject,
  offsetsOf,
  tokensIn,
} from "./jsonc-document.ts";
import { applyEdits, lineBreakOf, lineStart, type TextEdit } from "./text-edit.ts";

export const JSONC_FORMAT: ConfigFormat = {
  read: (text) => (hasNoValue(text) ? {} : evaluate(documentOf(text))),
  set: (text, path, value) => {
    // An empty file, or one with only comments, has no object yet.
    if (hasNoValue(text)) {
      const lineBreak = lineBreakOf(text);
      const before = isBlank(text) ? "" : `${text.trimEnd()}${lineBreak}`;
      return `${before}${format(nested(path, value), { indent: "", unit: "  ", lineBreak })}${lineBreak}`;
    }
    return setIn(text, path, value);
  },
  remove: (text, path) => (hasNoValue(text) ? text : removeFrom(text, path)),
};

/** True for a text that is empty or has only comments. */
function hasNoValue(text: string): boolean {
  return isBlank(text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ""));
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function setIn(text: string, path: readonly string[], value: unknown): string {
  const document = documentOf(text);
  let object = requireObject(document.body);
  for (const [depth, key] of path.entries()) {
    const member = memberOf(object, key);
    const rest = path.slice(depth + 1);
    if (member === undefined) {
      return applyEdits(text, insertion(text, { document, object }, key, nested(rest, value)));
    }
    if (rest.length === 0) {
      const [start, end] = offsetsOf(member.value);
      return applyEdits(text, [{ start, end, text: format(value) }]);
    }
    object = requireObject(member.value);
  }
  return text;
}

function insertion(
  text: string,
  { document, object }: { readonly document: DocumentNode; readonly object: ObjectNode },
  key: string,
  value: unknown,
): TextEdit[] {
  const { unit, lineBreak } = layoutOf(text, document);
  const [, end] = offsetsOf(object);
  const last = object.members.at(-1);
  const member = (indent: string): string =>
    `${JSON.stringify(key)}: ${format(value, { indent, unit, lineBreak })}`;
  if (last === undefined) return firstInsertion(text, { document, object }, member);

  const [lastStart, lastEnd] = offsetsOf(last);
  const after = tokensIn(document, lastEnd, end - 1);
  const comma = after.find(isComma);
  const closing = comma === undefined ? "" : ",";
  let at = comma === undefined ? lastEnd : offsetsOf(comma)[1];
  const separator: TextEdit[] = comma === undefined ? [{ start: at, end: at, text: "," }] : [];
  const indent = ownLineIndent(text, lastStart);
  if (indent === undefined) {
    const inline = `${JSON.stringify(key)}: ${format(value)}`;
    return [...separator, { start: at, end: at, text: ` ${inline}${closing}` }];
  }
  // A comment on the line of the last member belongs to that member.
  for (const token of after.filter(isComment)) {
    const [start, commentEnd] = offsetsOf(token);
    if (start >= at && !text.slice(at, start).includes("\n")) at = commentEnd;
  }
  return [
    ...separator,
    { start: at, end: at, text: `${lineBreak}${indent}${member(indent)}${closing}` },
  ];
}

/** Inserts into an object without members. */
function firstInsertion(
  text: string,
  { document, object }: { readonly document: DocumentNode; readonly object: ObjectNode },
  member: (indent: string) => string,
): TextEdit[] {
  const { unit, lineBreak } = layoutOf(text, document);
  const [start, end] = offsetsOf(object);
  const outer = indentAt(text, start);
  const inner = `${lineBreak}${outer}${unit}${member(outer + unit)}`;
  const comment = tokensIn(document, start + 1, end - 1).findLast(isComment);
  if (comment === undefined) {
    return [{ start: start + 1, end: end - 1, text: `${inner}${lineBreak}${outer}` }];
  }
  const [, at] = offsetsOf(comment);
  const isClosedBelow = text.slice(at, end).includes("\n");
  return [{ start: at, end: at, text: isClosedBelow ? inner : `${inner}${lineBreak}${outer}` }];
}

function removeFrom(text: string, path: readonly string[]): string {
  const document = documentOf(text);
  let object = requireObject(document.body);
  for (const key of path.slice(0, -1)) {
    const member = memberOf(object, key);
    if (member === undefined) return text;
    object = requireObject(member.value);
  }
  const member = memberOf(object, path.at(-1) ?? "");
  if (member === undefined) return text;
  const removed = applyEdits(text, removal(text, { document, object }, member));
  // If the key occurs twice, remove both.
  return removeFrom(removed, path);
}

function removal(
  text: string,
  { document, object }: { readonly document: DocumentNode; readonly object: ObjectNode },
  member: MemberNode,
): TextEdit[] {
  const [from, to] = [offsetsOf(object)[0] + 1, offsetsOf(object)[1] - 1];
  const [memberStart, memberEnd] = offsetsOf(member);
  const at = object.members.indexOf(member);
  const [previous, next] = [object.members[at - 1], object.members[at + 1]];
  const before = tokensIn(document, previous ? offsetsOf(previous)[1] : from, memberStart);
  const after = tokensIn(document, memberEnd, next ? offsetsOf(next)[0] : to);
  const ownComma = after.find(isComma);
  // Without a comma after it, the last member takes the comma before it.
  const comma = ownComma ?? before.find(isComma);
  const whole = { start: beginOfMember(text, memberStart), end: memberEnd };
  const { start, end, edits } = withComma(text, whole, comma && offsetsOf(comma));
  if (isBlank(text.slice(from, start)) && isBlank(text.slice(end, to))) {
    return [...edits, { start: from, end: to, text: "" }];
  }
  const comment = after.find((token) => isComment(token) && offsetsOf(token)[0] >= end);
  if (comment !== undefined && isOnLineOf(text, [start, end], offsetsOf(comment)[0])) {
    // A comment after the entry on its last line is not part of it, and moves to its place.
    return [...edits, { start: memberStart, end: offsetsOf(comment)[0], text: "" }];
  }
  return [...edits, { start, end, text: "" }];
}

/** Extends the span by the comma, or returns a separate edit for the comma when there is text between them. */
function withComma(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  comma: readonly [number, number] | undefined,
): { readonly start: number; readonly end: number; readonly edits: TextEdit[] } {
  if (comma === undefined) return { start, end, edits: [] };
  const [commaStart, commaEnd] = comma;
  if (commaEnd === start) return { start: commaStart, end, edits: [] };
  if (commaStart >= end && isBlank(text.slice(end, commaStart))) {
    return { start, end: commaEnd, edits: [] };
  }
  return { start, end, edits: [{ start: commaStart, end: commaEnd, text: "" }] };
}

/** True when `offset` is on the line where the member ends, and no other member is on its lines. */
function isOnLineOf(text: string, [start, end]: readonly number[], offset: number): boolean {
  return /[\r\n]/.test(text.charAt(start ?? 0)) && !text.slice(end, offset).includes("\n");
}

/** Returns the line break before the member if it starts its line, else the start of the blanks before it. */
function beginOfMember(text: string, start: number): number {
  const blanks = /[ \t]*$/.exec(text.slice(lineStart(text, start), start))?.[0] ?? "";
  const at = start - blanks.length;
  if (text[at - 1] !== "\n") return at;
  return text[at - 2] === "\r" ? at - 2 : at - 1;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

interface Layout {
  /** Indentation of the line on which the value begins. */
  readonly indent: string;
  /** One step of indentation. */
  readonly unit: string;
  readonly lineBreak: string;
}

function layoutOf(text: string, { body }: DocumentNode): Omit<Layout, "indent"> {
  const lineBreak = lineBreakOf(text);
  const first = body.type === "Object" ? body.members[0] : undefined;
  const unit = first === undefined ? undefined : ownLineIndent(text, offsetsOf(first)[0]);
  return { unit: unit === undefined || unit === "" ? "  " : unit, lineBreak };
}

/** Returns the indentation of a value that begins its line; undefined when text precedes it on the line. */
function ownLineIndent(text: string, start: number): string | undefined {
  const from = lineStart(text, start);
  const before = text.slice(from, start);
  return from > 0 && /^[ \t]*$/.test(before) ? before : undefined;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/**
 * Writes objects with one line per member and arrays on one line, as people do; without a layout, all on one line.
 */
function format(value: unknown, layout?: Layout): string {
  if (Array.isArray(value)) return `[${value.map((item) => format(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = layout && { ...layout, indent: layout.indent + layout.unit };
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${format(item, inner)}`,
  );
  if (members.length === 0) return "{}";
  if (layout === undefined || inner === undefined) return `{ ${members.join(", ")} }`;
  const before = `${layout.lineBreak}${inner.indent}`;
  return `{${before}${members.join(`,${before}`)}${layout.lineBreak}${layout.indent}}`;
}
