// Lines of notebooks that are commands of IPython, not Python: `%matplotlib inline`, `!pip install x`, `load?`.

/** Magics whose line is a statement to run, with their options: `%time x = f()`, `%lprun -f f f(x)`. */
const RUNS =
  /^%(?:time|timeit|prun|memit|mprun|lprun)\b(?:[ \t]+(?:-[fmDsT][ \t]+[\w.]+|-\w+(?:[ \t]+\d+)?))*[ \t]+/u;
const IS_COMMAND = /^(?:%%?[A-Za-z_]|!|\?{1,2}[\w.*%]+\s*$|[\w.*%]+\?{1,2}\s*$)/u;
/** `files = !ls`, `figure = %capture`. */
const ASSIGNED_COMMAND = /^[\w.,[\]'" ]{1,200}=[ \t]*(?=!|%[A-Za-z_])/u;
/** What can open or close a string, a comment or brackets. A string that is not closed ends with its line. */
const TOKENS = /'''|"""|'(?:\\.?|[^'\\])*(?:'|$)|"(?:\\.?|[^"\\])*(?:"|$)|#.*$|[([{]|[)\]}]/gu;
/** A statement that Python runs whatever is in it; as short as any command. */
const NOTHING = "0";
const IF_TRUE = "if 1:";

/**
 * Returns the lines of a cell with its commands replaced by Python of the same length. Statements that a command runs
 * stay.
 */
export function withoutCommands(lines: readonly string[]): string[] {
  const state: CellState = { quote: "", depth: 0, isContinued: false };
  return lines.map((line) => {
    const isStatement = state.quote === "" && state.depth === 0 && !state.isContinued;
    const python = isStatement ? withoutCommand(line) : line;
    readLine(state, python);
    return python;
  });
}

/** What is open at the end of a line. */
interface CellState {
  /** The quotes of the string that is open; "" if none is. */
  quote: string;
  /** Open brackets. */
  depth: number;
  /** Whether the line ends with a backslash. */
  isContinued: boolean;
}

function withoutCommand(line: string): string {
  const indent = line.length - line.trimStart().length;
  const text = line.slice(indent);
  const run = RUNS.exec(text)?.[0];
  if (run !== undefined) return replaced(line, indent, IF_TRUE, indent + run.length);
  if (IS_COMMAND.test(text)) return replaced(line, indent, NOTHING, line.length);
  const assigned = ASSIGNED_COMMAND.exec(text)?.[0];
  if (assigned === undefined) return line;
  return replaced(line, indent + assigned.length, NOTHING, line.length);
}

function replaced(line: string, start: number, python: string, end: number): string {
  return line.slice(0, start) + python.padEnd(end - start) + line.slice(end);
}

function readLine(state: CellState, line: string): void {
  let at = 0;
  if (state.quote !== "") {
    const end = line.indexOf(state.quote);
    if (end === -1) return;
    state.quote = "";
    at = end + 3;
  }
  TOKENS.lastIndex = at;
  for (let match = TOKENS.exec(line); match !== null; match = TOKENS.exec(line)) {
    const [token] = match;
    if (token === "'''" || token === '"""') {
      const end = line.indexOf(token, TOKENS.lastIndex);
      if (end === -1) {
        state.quote = token;
        return;
      }
      TOKENS.lastIndex = end + 3;
    } else if ("([{".includes(token)) {
      state.depth += 1;
    } else if (")]}".includes(token)) {
      state.depth = Math.max(0, state.depth - 1);
    }
  }
  state.isContinued = line.endsWith("\\");
}
