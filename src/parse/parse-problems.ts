/** Why a file was indexed by line patterns instead of its grammar. Users and agents see these sentences. */
export const PARSE_PROBLEMS = {
  budget: "Parsing exceeds the work limit for one file.",
  nesting: "Its brackets are nested too deeply for the parser.",
  "parser-failed": "The parser failed on this file.",
  "parser-stopped":
    "The parser failed on another file of the same run; the next run parses this one.",
  "document-partial": "A part of the document was left out.",
  "no-grammar": "The grammar of its language could not be loaded.",
} as const;

/** A key of PARSE_PROBLEMS. */
export type ParseProblem = keyof typeof PARSE_PROBLEMS;

/**
 * Returns whether another run over the same content may succeed, because the problem was caused by another
 * file.
 */
export function isTransient(problem: string): boolean {
  return problem === "parser-stopped";
}
