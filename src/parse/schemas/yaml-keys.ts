import type { TextLines } from "../text-lines.ts";
import { keyNode, MAX_KEY_CHARS, MAX_KEY_NODES, type KeyNode } from "./key-node.ts";

const KEY =
  /^(?:"((?:[^"\\]|\\.)+)"|'([^']+)'|([^\s#"'?&*!|>%@`{}[\],-][^#]*?|-[^\s#][^#]*?))\s*:(?:\s+(.*))?$/;
const BLOCK_SCALAR = /^[|>][+-]?\d*[+-]?\s*(?:#.*)?$/;
/** The elements of a list may be in the column of the key of the list: they count as half a column deeper. */
const ELEMENT = 0.5;

interface OpenKey {
  readonly node: KeyNode;
  readonly column: number;
}

/** Returns the keys of a YAML text below a root. Mappings in braces are not read. */
export function readYamlKeys(lines: TextLines): KeyNode {
  const root = keyNode("", 1);
  const open: OpenKey[] = [{ node: root, column: -1 }];
  const scan: YamlScan = { lines, open, lastLine: 1, count: 0 };
  for (let line = 1; line <= lines.count && scan.count < MAX_KEY_NODES; line += 1) {
    if (lines.isBlank(line)) continue;
    line = readLine(scan, line);
    scan.lastLine = line;
  }
  closeFrom(scan, -1);
  return root;
}

interface YamlScan {
  readonly lines: TextLines;
  /** The keys that contain the line, outermost first. */
  readonly open: OpenKey[];
  /** The last line before this one that is not blank. */
  lastLine: number;
  count: number;
}

/** Reads a line, and returns the last line of the text that begins there. */
function readLine(scan: YamlScan, line: number): number {
  const { lines } = scan;
  const first = lines.firsts[line - 1] ?? 0;
  const text = lines.text
    .slice(first, Math.min(lines.endOf(line), first + MAX_KEY_CHARS))
    .trimEnd();
  if (text.startsWith("#") || text.startsWith("---")) return line;
  const start = { line, column: first - (lines.starts[line - 1] ?? 0), rest: text };
  const { column, rest } = openElements(scan, start);
  const [, double, single, plain, after = ""] = KEY.exec(rest) ?? [];
  const key = double ?? single ?? plain;
  const element = scan.open.at(-1);
  if (key === undefined) {
    // An element of a list that is a word.
    if (rest !== text && element !== undefined) element.node.value = unquoted(rest);
    return line;
  }
  closeFrom(scan, column);
  const value = after.trim();
  add(scan, { key, line, column }).value = unquoted(value);
  return BLOCK_SCALAR.test(value) ? blockEnd(lines, line, column) : line;
}

interface LineRest {
  readonly line: number;
  readonly column: number;
  readonly rest: string;
}

/** Opens the elements of lists that begin a line. Returns what follows their dashes. */
function openElements(scan: YamlScan, { line, ...start }: LineRest): LineRest {
  let { column, rest } = start;
  for (;;) {
    const dash = /^-(?:\s+|$)/.exec(rest)?.[0];
    if (dash === undefined) return { line, column, rest };
    closeFrom(scan, column + ELEMENT);
    const key = String(scan.open.at(-1)?.node.children.length ?? 0);
    add(scan, { key, line, column: column + ELEMENT });
    column += dash.length;
    rest = rest.slice(dash.length);
  }
}

function add(
  scan: YamlScan,
  { key, line, column }: { readonly key: string; readonly line: number; readonly column: number },
): KeyNode {
  const node = keyNode(key, line);
  scan.open.at(-1)?.node.children.push(node);
  scan.open.push({ node, column });
  scan.count += 1;
  return node;
}

/** Ends the keys at this column and deeper. */
function closeFrom({ open, lastLine }: YamlScan, column: number): void {
  for (let last = open.at(-1); last !== undefined && last.column >= column; last = open.at(-1)) {
    last.node.endLine = Math.max(last.node.line, lastLine);
    open.pop();
  }
}

/** Returns the last line of a text that is indented below a key. */
function blockEnd(lines: TextLines, line: number, column: number): number {
  let end = line;
  for (let next = line + 1; next <= lines.count; next += 1) {
    if (lines.isBlank(next)) continue;
    if ((lines.firsts[next - 1] ?? 0) - (lines.starts[next - 1] ?? 0) <= column) break;
    end = next;
  }
  return end;
}

function unquoted(value: string): string {
  const [, quoted] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value) ?? [];
  return quoted === undefined
    ? value.replace(/\s+#.*$/, "")
    : value.slice(1, value.lastIndexOf(quoted));
}
