// Names in lines of code, without a parser: which a line defines, and which are distinctive enough to be looked up.

const WORDS_OF_LANGUAGES = new Set(
  (
    "true false null none nil undefined self this super class def function return import from export default const let var " +
    "async await yield for while with string number boolean object array int float double void char byte bool any type list " +
    "dict tuple set map static public private protected interface enum struct new delete try catch finally except raise throw " +
    "print args kwargs main test tests example name value data error errors result results index mut ref out"
  ).split(" "),
);

/** Whether a word is one of many languages, or so common that it names nothing. */
export function isKeyword(word: string): boolean {
  return WORDS_OF_LANGUAGES.has(word.toLowerCase());
}

/** Names that examples make up. */
const PLACEHOLDER = /^_*(?:my|foo|bar|baz|some|your|example|dummy|sample|hello|test)(?=[A-Z_\d])/i;

/** Whether a name is hardly a word of a text: `snake_case`, `camelCase`, `CapWords`, `UPPER_CASE`. */
export function isDistinctive(name: string): boolean {
  return (
    name.length >= 4 &&
    !PLACEHOLDER.test(name) &&
    (/[A-Za-z0-9]_[A-Za-z0-9]/.test(name) ||
      /[a-z0-9][A-Z]/.test(name) ||
      /^[A-Z]{2,}[a-z]/.test(name))
  );
}

/** Longer lines are generated or data. */
export const MAX_LINE_LENGTH = 500;
const DECLARED =
  /(?:^|[\s(;{,])(?:def|class|function\*?|func|fn|fun|struct|enum|union|trait|interface|protocol|typedef|module|macro_rules!|record|namespace|sub|proc|defp|defmacro|defmodule|object|data|#[ \t]*define)\s+(?:\([^()]*\)\s*)?(?:self\.)?(?<name>[A-Za-z_$][\w$]*[?!]?)/g;
const VARIABLE =
  /^(?<indent>\s*)(?:export\s+|pub(?:\([^()]*\))?\s+|public\s+|static\s+|final\s+)*(?:const|let|var|val|static|type|final)\s+(?:mut\s+|\w+\s+(?=\w+\s*=))?(?<name>[A-Za-z_$][\w$]*)/;
const ASSIGNED =
  /^(?<indent>\s*)(?<owner>(?:self|this|cls|exports|module\.exports|[A-Z]\w*|[\w$]+\.prototype)\.)?(?<name>[A-Za-z_$][\w$]*)\s*(?::[^=]*)?=(?![=>])/;
const KEY =
  /^\s*(?:(?:pub(?:\([^()]*\))?|public|private|protected|readonly|static|export)\s+)*(?<name>[A-Za-z_$][\w$]*)\??\s*:(?![:=])/;
const METHOD =
  /^\s+(?:[\w<>[\],?*&]+\s+)*(?<name>[A-Za-z_$][\w$]*)\s*\([^()]*\)\s*(?:[{:]|->|throws|=>|const\b)/;
const FIELD_OF_GO = /^\s+(?<name>[A-Z]\w*)\s+[\w.*[\]{}()]+(?:\s+`[^`]*`)?\s*(?:\/\/.*)?$/;
const PARAMETERS = /\b(?:def|function|func|fn|fun)\b[^(]*(?:\([^()]*\)\s*\w+)?\((?<list>.*)$/;
const PARAMETER = /(?:^|,)\s*[*&]*(?<name>[A-Za-z_$][\w$]*)\s*(?=[=:,)?]|$|\s\w)/g;
const QUOTED = /(["'`])(?<text>-{0,2}[A-Za-z_][\w-]*)\1/g;
const COMMENT = /^\s*(?:\/\/|#(?![ \t]*define|\[)|\*|\/\*|--\s|;|<!--|"""|''')/;

/** How sure it is that a line defines a name: a parameter or a key may be one of something else. */
export type NameCertainty = "sure" | "likely";

/** Returns the names that a line of code defines. Flags begin with "--". */
export function definedIn(line: string): ReadonlyMap<string, NameCertainty> {
  const names = new Map<string, NameCertainty>();
  if (COMMENT.test(line)) return names;
  const addLikely = (name: string | undefined): void => {
    if (name === undefined || isKeyword(name) || names.has(name)) return;
    names.set(name, "likely");
  };
  for (const { groups } of line.matchAll(DECLARED)) names.set(groups?.["name"] ?? "", "sure");
  addVariables(line, names);
  for (const pattern of [METHOD, FIELD_OF_GO]) {
    const name = pattern.exec(line)?.groups?.["name"];
    if (name !== undefined) names.set(name, "sure");
  }
  addLikely(KEY.exec(line)?.groups?.["name"]);
  for (const name of parametersIn(line)) addLikely(name);
  addQuoted(line, names);
  names.delete("");
  return names;
}

function addVariables(line: string, names: Map<string, NameCertainty>): void {
  for (const pattern of [VARIABLE, ASSIGNED]) {
    const { name = "", indent = "", owner } = pattern.exec(line)?.groups ?? {};
    // An indented one is a variable of a function, unless it is a constant or a member.
    if (indent === "" || owner !== undefined || isConstant(name)) names.set(name, "sure");
    else if (pattern === ASSIGNED && indent.length <= 4) names.set(name, "likely");
  }
}

function parametersIn(line: string): readonly string[] {
  const list = PARAMETERS.exec(line)?.groups?.["list"] ?? "";
  return [...list.matchAll(PARAMETER)].map(({ groups }) => groups?.["name"] ?? "");
}

/** Variables of the environment that belong to no single program. */
const SYSTEM_VARIABLE =
  /^(?:LC|XDG|SSL|SSH|GIT|PYTHON|NODE|NPM|LD|DYLD|HTTPS?|ALL|NO|FORCE|GITHUB|CI|TERM|VIRTUAL)_/;

/** Adds the texts in quotes that name an option, a variable of the environment or a setting. */
function addQuoted(line: string, names: Map<string, NameCertainty>): void {
  for (const { groups } of line.matchAll(QUOTED)) {
    const text = groups?.["text"] ?? "";
    const bare = text.replace(/^--?/, "");
    if (text.startsWith("--")) names.set(text, "sure");
    else if (isConstant(bare) && !SYSTEM_VARIABLE.test(bare)) names.set(bare, "sure");
    else if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(text)) names.set(`--${text}`, "likely");
    if (/\blong\s*(?:\(|=)\s*$/.test(line.slice(0, line.indexOf(text) - 1)))
      names.set(`--${bare}`, "sure");
  }
}

/** Whether a name is written like `READ_ALL`. */
export function isConstant(name: string): boolean {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);
}

/** Returns the words of a line of code: names, and names with dashes both as a whole and in parts. */
export function codeWords(line: string): Set<string> {
  const words = new Set<string>();
  addWords(line, words);
  return words;
}

export function addWords(line: string, words: Set<string>): void {
  for (const [word] of line.matchAll(/[A-Za-z_$][\w$]*[?!]?(?:-[\w$]+)*/g)) {
    words.add(word);
    if (word.includes("-")) for (const part of word.split("-")) words.add(part);
    else if (/[?!]$/.test(word)) words.add(word.slice(0, -1));
  }
}

/** Returns the names that example code binds by itself: definitions, variables, parameters and imported modules. */
export function boundNames(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(boundIn));
}

function boundIn(line: string): readonly string[] {
  const variables = [VARIABLE, ASSIGNED].flatMap((pattern) => {
    const { name = "", owner } = pattern.exec(line)?.groups ?? {};
    return owner !== undefined || isConstant(name) ? [] : [name];
  });
  const declared = [...line.matchAll(DECLARED)].map(({ groups }) => groups?.["name"] ?? "");
  const imported = [...line.matchAll(/\b(?:as|for)\s+([A-Za-z_]\w*)/g)].map(
    ([, name = ""]) => name,
  );
  return [...declared, ...variables, ...parametersIn(line), ...imported];
}

const IMPORT_OF_PYTHON = /^[\s>.]*from\s+(?<module>[\w.]+)\s+import\s+\(?(?<names>[\w\s,]*)/;

/** Returns the modules that example code of Python imports names from. Other languages name packages, not folders. */
export function importedFrom(lines: readonly string[]): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  for (const line of lines) {
    if (line.length > MAX_LINE_LENGTH) continue;
    const { module, names = "" } = IMPORT_OF_PYTHON.exec(line)?.groups ?? {};
    if (module === undefined) continue;
    for (const [name] of names.matchAll(/\w+/g)) modules.set(name, module);
  }
  return modules;
}

/** Whether a file imports a name too: then another package has it. */
export function importsName(text: string, name: string): boolean {
  return text
    .split("\n")
    .some(
      (line) =>
        line.length <= MAX_LINE_LENGTH &&
        /^\s*(?:import|from|use|using|const|let|var)\b/.test(line) &&
        /\bimport\b|\brequire\b|^\s*us(?:e|ing)\b/.test(line) &&
        codeWords(line).has(name),
    );
}

/** Whether a file defines one of these names outside of texts in three quotes, which may hold examples. */
export function defines(text: string, names: readonly string[]): boolean {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const wasOpen = open !== undefined;
    for (const [quotes] of line.matchAll(/"""|'''/g)) {
      if (open === undefined) open = quotes;
      else if (open === quotes) open = undefined;
    }
    if (wasOpen || line.length > MAX_LINE_LENGTH) continue;
    const defined = definedIn(line);
    if (names.some((name) => defined.has(name))) return true;
  }
  return false;
}
