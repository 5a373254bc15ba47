// The symbols of SCIP: parses and writes their text. The grammar is in scip.proto, at `message Symbol`.

/** The kind of a descriptor, by the characters around its name. */
export type Suffix =
  | "namespace"
  | "type"
  | "term"
  | "method"
  | "typeParameter"
  | "parameter"
  | "meta"
  | "macro";

export interface Descriptor {
  readonly name: string;
  readonly suffix: Suffix;
  /** Tells apart methods of one name; "" if there is none. */
  readonly disambiguator: string;
}

/** A symbol that other files can use. */
export interface GlobalSymbol {
  readonly scheme: string;
  /** "" if unknown, as the next two. */
  readonly manager: string;
  readonly package: string;
  readonly version: string;
  /** From the outermost to the symbol itself; not empty. */
  readonly descriptors: readonly Descriptor[];
}

const LOCAL = "local ";
const SIMPLE = /^[\w+$-]+$/;
const SIMPLE_NAME = /[\w+$-]+/y;
const ESCAPED_NAME = /`((?:[^`]|``)+)`/y;

/** Returns whether the symbol is local to its document. */
export function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith(LOCAL);
}

/** Parses a global symbol. Returns undefined for a local one, and for text that breaks the grammar. */
export function parseSymbol(symbol: string): GlobalSymbol | undefined {
  if (isLocalSymbol(symbol)) return undefined;
  const head: string[] = [];
  let at = 0;
  while (head.length < 4) {
    const end = endOfField(symbol, at);
    if (end === undefined) return undefined;
    head.push(symbol.slice(at, end).replaceAll("  ", " "));
    at = end + 1;
  }
  const [scheme = "", manager = "", name = "", version = ""] = head;
  const descriptors = parseDescriptors(symbol, at);
  if (scheme === "" || descriptors === undefined) return undefined;
  return {
    scheme,
    manager: withoutPlaceholder(manager),
    package: withoutPlaceholder(name),
    version: withoutPlaceholder(version),
    descriptors,
  };
}

/** Returns the index of the single space that ends a field. */
function endOfField(symbol: string, from: number): number | undefined {
  for (let at = symbol.indexOf(" ", from); at >= 0; at = symbol.indexOf(" ", at + 2)) {
    if (symbol[at + 1] !== " ") return at;
  }
  return undefined;
}

function withoutPlaceholder(field: string): string {
  return field === "." ? "" : field;
}

function parseDescriptors(symbol: string, from: number): readonly Descriptor[] | undefined {
  const found: Descriptor[] = [];
  let at = from;
  while (at < symbol.length) {
    const parsed = parseDescriptor(symbol, at);
    if (parsed === undefined) return undefined;
    found.push(parsed.descriptor);
    at = parsed.end;
  }
  return found.length === 0 ? undefined : found;
}

interface ParsedDescriptor {
  readonly descriptor: Descriptor;
  readonly end: number;
}

function parseDescriptor(symbol: string, at: number): ParsedDescriptor | undefined {
  const opening = symbol[at];
  if (opening === "[") return inBrackets(symbol, at, { suffix: "typeParameter", closing: "]" });
  if (opening === "(") return inBrackets(symbol, at, { suffix: "parameter", closing: ")" });
  const name = parseName(symbol, at);
  if (name === undefined) return undefined;
  const { text, end } = name;
  const mark = symbol[end] ?? "";
  const suffix = SUFFIX_OF_MARK.get(mark);
  if (suffix !== undefined) {
    return { descriptor: { name: text, suffix, disambiguator: "" }, end: end + 1 };
  }
  const closing = mark === "(" ? symbol.indexOf(").", end) : -1;
  if (closing < 0) return undefined;
  const disambiguator = symbol.slice(end + 1, closing);
  if (disambiguator !== "" && !SIMPLE.test(disambiguator)) return undefined;
  return { descriptor: { name: text, suffix: "method", disambiguator }, end: closing + 2 };
}

const SUFFIX_OF_MARK: ReadonlyMap<string, Suffix> = new Map([
  ["/", "namespace"],
  ["#", "type"],
  [".", "term"],
  [":", "meta"],
  ["!", "macro"],
]);

function inBrackets(
  symbol: string,
  at: number,
  { suffix, closing }: { readonly suffix: Suffix; readonly closing: string },
): ParsedDescriptor | undefined {
  const name = parseName(symbol, at + 1);
  if (name === undefined || symbol[name.end] !== closing) return undefined;
  return { descriptor: { name: name.text, suffix, disambiguator: "" }, end: name.end + 1 };
}

function parseName(
  symbol: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const rule = symbol[at] === "`" ? ESCAPED_NAME : SIMPLE_NAME;
  rule.lastIndex = at;
  const [whole, escaped] = rule.exec(symbol) ?? [];
  if (whole === undefined) return undefined;
  return { text: escaped?.replaceAll("``", "`") ?? whole, end: at + whole.length };
}

/** Returns the canonical text of a symbol. */
export function formatSymbol({
  scheme,
  manager,
  package: name,
  version,
  descriptors,
}: GlobalSymbol): string {
  const head = [scheme, manager, name, version].map((field) =>
    (field === "" ? "." : field).replaceAll(" ", "  "),
  );
  return `${head.join(" ")} ${descriptors.map(formatDescriptor).join("")}`;
}

function formatDescriptor({ name: plain, suffix, disambiguator }: Descriptor): string {
  const name = SIMPLE.test(plain) ? plain : `\`${plain.replaceAll("`", "``")}\``;
  switch (suffix) {
    case "namespace":
      return `${name}/`;
    case "type":
      return `${name}#`;
    case "term":
      return `${name}.`;
    case "meta":
      return `${name}:`;
    case "macro":
      return `${name}!`;
    case "method":
      return `${name}(${disambiguator}).`;
    case "typeParameter":
      return `[${name}]`;
    case "parameter":
      return `(${name})`;
    default:
      return suffix satisfies never;
  }
}
