/** Some text of Kotlin that the grammar cannot parse, and what it is replaced by. */
interface Repair {
  /** It is linear in the length of the text, and begins with a letter or sign that is rare. */
  readonly pattern: RegExp;
  /** Returns text of the same length with the same line breaks. `before`: a little of the text before the match. */
  readonly replace: (found: string, before: string) => string;
}

const ENDS_IN_ANNOTATION = /@[\w.:]+(?:\([^()]*\))?(?:[ \t]*\/\/[^\n]*)?\s+$/;
const ENDS = /(?: \})+$/;
const BEGINS_LINE = /(?:^|\n)[ \t]*$/;
/** A longer annotation is not recognised. A look-behind in the pattern would read the text before each character. */
const MAX_ANNOTATION_CHARS = 200;

const REPAIRS: readonly Repair[] = [
  // After an annotation, these modifiers need another one between them.
  {
    pattern: /\b(?:enum|annotation)(?=\s+class\b)/g,
    replace: (found, before) =>
      ENDS_IN_ANNOTATION.test(before) ? "open".padEnd(found.length) : found,
  },
  // A last comma before the `;` of an enumeration or the end of an index.
  { pattern: /,(?=\s*[;\]])/g, replace: blank },
  // After a variable, `get("/path") {` of the next line is not a getter, nor is `set = 1` a setter.
  {
    pattern: /\b(?:get\([^)\s]|set[ \t]*=)/g,
    replace: (found, before) => (BEGINS_LINE.test(before) ? found.replace(/[gs]et/, "___") : found),
  },
  // Modifiers that are names here: `open = true`, `sealed.size`. No modifier is before such a sign. The grammar can parse them
  // after a dot and where they are declared, and their symbols have the names of the parsed text.
  {
    pattern:
      /\b(?<!\.|\b(?:va[lr]|fun) )(?:open|sealed|abstract|final|override|public|private|internal|protected|inline|infix|external|tailrec|lateinit|vararg|noinline|crossinline)(?=[ \t]*[-+*/]?[=.([{:])/g,
    replace: (found) => "_".repeat(found.length),
  },
  // `context(session: Session)` before a declaration; older versions have types without names.
  {
    pattern:
      /\bcontext[ \t]*\((?:[^():]*:[^()]*\)(?=[ \t]*$)|[^()]*\)(?=\s*(?:[a-z]+[ \t]+){0,4}fun\b))/gm,
    replace: blank,
  },
  // An annotation of a getter or a setter.
  {
    pattern: /@[\w.:]+(?:\([^()]*\))?(?=\s+[gs]et(?:\((?:\w+)?\)|[ \t]*$))/gm,
    replace: blank,
  },
  // An annotation with arguments of a constructor that is not public.
  {
    pattern: /@[\w.:]+\([^()]*\)(?=\s+(?:internal|private|protected)\s+constructor\b)/g,
    replace: blank,
  },
  // A constructor in the line after the name of a class in another one.
  {
    pattern:
      /\bclass[ \t]+\w+(?:[ \t]*<[^(){}\n]{1,200}>)?[ \t]*\n[ \t]+(?:@[\w.:]+(?:\([^()]{0,200}\))?\s+){0,4}(?:(?:internal|private|protected|public)\s+)?constructor(?=[ \t]*\()/g,
    replace: withConstructor,
  },
  // A type in one line, `class A { fun b() {} }`: the last member needs an end.
  {
    pattern:
      /\b(?:class|interface|object)\b[^\n"{]{0,200}\{[^\n"]{0,300}[^\s{;](?: \})+(?=[ \t]*$)/gm,
    replace: (found) => found.replace(ENDS, (ends) => ends.replaceAll(" }", ";}")),
  },
  // A text with another mark of its expressions: `$$"…"`.
  { pattern: /(?<!\$)\$\$+(?=")/g, replace: blank },
];

/**
 * Returns the head of a class with the word `constructor` such that the grammar does not take it for another constructor of
 * the outer class: after an annotation without the access, else with a type parameter in its place.
 */
function withConstructor(head: string): string {
  if (head.includes("@"))
    return head.replace(/(?:internal|private|protected|public)(?=\s+constructor$)/, blank);
  const name = head.indexOf("\n");
  const words = head.slice(name).replace(/\w+\s+(?=constructor$)/, blank);
  const start = head.slice(0, name);
  const parameter = `${"_".repeat("constructor".length - 1)}>`;
  return start.trimEnd().endsWith(">")
    ? start.replace(/>(?=\s*$)/, ",") + words.replace("constructor", parameter)
    : start + words.replace("constructor", `<${parameter.slice(1)}`);
}

/** Returns the text with what the grammar cannot parse replaced; names are read from the original. */
export function repairText(text: string): string {
  let repaired = text;
  for (const { pattern, replace } of REPAIRS) {
    repaired = repaired.replace(pattern, (found: string, at: number) =>
      replace(found, repaired.slice(Math.max(0, at - MAX_ANNOTATION_CHARS), at)),
    );
  }
  return repaired;
}

function blank(found: string): string {
  return found.replaceAll(/[^\n\r]/g, " ");
}
