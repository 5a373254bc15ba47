/** Why a file was indexed without its grammar, by the look of its lines. The sentences are shown to people and agents. */
export const PARSE_PROBLEMS = {
  budget: "Parsing takes more work than one file may cost.",
  nesting: "Its brackets are nested too deeply for the parser.",
  "parser-failed": "The parser failed on it.",
  "parser-stopped":
    "The parser failed on another file of the same run; the next run parses this one.",
  "no-grammar": "The grammar of its language could not be loaded.",
} as const;

export type ParseProblem = keyof typeof PARSE_PROBLEMS;

/** Whether another run over the same content may succeed: the problem lies elsewhere. */
export function isTransient(problem: string): boolean {
  return problem === "parser-stopped";
}
