// Removes doc comments from source text, so that they cannot answer a query made from them. Removed lines become blank,
// so that line numbers do not change.

/** Doc comment lines in languages whose doc comments can be line comments. */
const DOC_LINES: Readonly<Record<string, RegExp>> = {
  rust: /^\s*\/\/[/!]/,
  csharp: /^\s*\/\/\//,
  swift: /^\s*\/\/\//,
  go: /^\/\//,
  ruby: /^\s*#(?![!{])/,
  cpp: /^\s*\/\//,
};

/** Languages without doc comments between slash-star-star and star-slash. */
const WITHOUT_BLOCKS: readonly string[] = ["ruby", "go"];

/**
 * Languages whose doc comments look like other comments: a comment right before a definition is one. In the other
 * languages every comment of that form is removed.
 */
const FUNCTIONS: Readonly<Record<string, RegExp>> = {
  go: /^func\s+(?:\([^)]*\)\s*)?\w+/,
  ruby: /^\s*def\s+(?:self\.)?[\w?!]+/,
  cpp: /^(?!\s*(?:if|for|while|switch|return|#|template|class|struct|using|namespace))(?:[\w:<>,*&\s]+?\s+)?\**&?[\w~]+\s*\([^;]*$/,
};
const OTHER_DEFINITION = /^\s*(?:type|var|const|class|module|struct|template|enum)\b/;
const ATTRIBUTE = /^(?!.*\b(?:fn|func|fun|function|def)\b)\s*(?:#\[|@\w|\[[A-Z]|#\w+\[)/;

/** The text without its doc comments. `language` is a name as in corpora.json. */
export function stripDocs(text: string, language: string): string {
  const lines = text.split("\n");
  if (language === "python") return stripPython(lines).join("\n");
  if (language === "elixir") return stripElixir(lines).join("\n");
  return stripComments(lines, language).join("\n");
}

function stripComments(lines: readonly string[], language: string): readonly string[] {
  const result = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const end = commentEnd(lines, at, language);
    if (end === undefined) continue;
    if (end === lines.length) break;
    if (isDoc(lines, end, language)) result.fill("", at, end + 1);
    at = end;
  }
  return result;
}

/** The last line of the comment that begins at a line; the number of lines if it does not end. */
function commentEnd(lines: readonly string[], at: number, language: string): number | undefined {
  const line = lines[at] ?? "";
  let end = at;
  if (/^\s*\/\*\*(?!\/)/.test(line) && !WITHOUT_BLOCKS.includes(language)) {
    while (end < lines.length && lines[end]?.includes("*/") !== true) end += 1;
    const last = lines[end] ?? "";
    // Text after the comment must remain.
    return last.slice(last.indexOf("*/") + 2).trim() === "" || end === lines.length
      ? end
      : undefined;
  }
  const docLine = DOC_LINES[language];
  if (docLine?.test(line) !== true) return undefined;
  while (docLine.test(lines[end + 1] ?? "")) end += 1;
  return end;
}

/** Whether the comment that ends at a line belongs to the following definition. */
function isDoc(lines: readonly string[], end: number, language: string): boolean {
  const definition = FUNCTIONS[language];
  if (definition === undefined) return true;
  let next = end + 1;
  while (ATTRIBUTE.test(lines[next] ?? "")) next += 1;
  const line = lines[next] ?? "";
  return definition.test(line) || OTHER_DEFINITION.test(line);
}

const PYTHON_HEADER = /^(\s*)(?:async\s+)?(def|class)\s+\w+/;
/** Maximum number of lines in which to search for a definition header. */
const HEADER_LINES = 60;

function stripPython(lines: readonly string[]): readonly string[] {
  const result = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const header = PYTHON_HEADER.exec(lines[at] ?? "");
    // The docstring of a module comes before everything else.
    if (header === null && at > 0) continue;
    const first = firstOfBody(lines, header === null ? at : headerEnd(lines, at) + 1);
    const last = docstringEnd(lines, first);
    if (last === undefined) continue;
    result.fill("", first, last + 1);
    const [, indent = "", keyword] = header ?? [];
    const isBare = keyword === "def" && bodyEnd(lines, last, indent) === last;
    // A body that consists only of its docstring must not become empty.
    if (isBare || keyword === "class") result[first] = `${indentOf(lines[first])}pass`;
    if (!isBare) at = last;
  }
  return result;
}

function firstOfBody(lines: readonly string[], start: number): number {
  const first = lines.findIndex((line, at) => at >= start && !/^\s*(?:#.*)?$/.test(line));
  return first < 0 ? lines.length : first;
}

function indentOf(line = ""): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** The line of the colon that ends a header, which may span several lines. */
function headerEnd(lines: readonly string[], start: number): number {
  const limit = Math.min(lines.length, start + HEADER_LINES);
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    const code = (lines[at] ?? "")
      .replace(/#.*$/, "")
      .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
    for (const character of code) {
      if ("([{".includes(character)) depth += 1;
      else if (")]}".includes(character)) depth -= 1;
    }
    if (depth <= 0 && /:\s*$/.test(code)) return at;
  }
  return limit;
}

/** The last line of the docstring that begins at a line; undefined if none begins there. */
function docstringEnd(lines: readonly string[], first: number): number | undefined {
  const line = lines[first] ?? "";
  const quotes = /^\s*[rRuUbB]{0,2}("""|''')/.exec(line)?.[1];
  if (quotes === undefined) return undefined;
  if (line.slice(line.indexOf(quotes) + quotes.length).includes(quotes)) return first;
  const last = lines.findIndex((later, at) => at > first && later.includes(quotes));
  return last < 0 ? undefined : last;
}

/** The last line of a body that contains `last`. */
function bodyEnd(lines: readonly string[], last: number, indent: string): number {
  let end = last;
  for (let at = last + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line).length <= indent.length && !/^\s*[)\]}]/.test(line)) break;
    end = at;
  }
  return end;
}

function stripElixir(lines: readonly string[]): readonly string[] {
  const result = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const doc = /^\s*@(?:doc|moduledoc)\s+(?:~S)?(?:"""|'''|(".*"\s*$))/.exec(lines[at] ?? "");
    if (doc === null) continue;
    let end = at;
    if (doc[1] === undefined) {
      end = lines.findIndex((line, later) => later > at && /^\s*(?:"""|''')/.test(line));
      if (end < 0) end = lines.length - 1;
    }
    result.fill("", at, end + 1);
    at = end;
  }
  return result;
}
