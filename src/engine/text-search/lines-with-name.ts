// Counts the lines that have a name, for answers about names whose uses svc cannot resolve.

import type { EngineRequest } from "../api/request.ts";
import type { QueryContext } from "../query-context.ts";
import { searchText } from "./search-text.ts";

/** The lines that have a name as a whole word, in any kind of file. */
export interface LinesWithName {
  readonly lines: number;
  readonly files: number;
  /** Says how many lines and files, and how to list them. */
  readonly advice: string;
}

type Context = Parameters<typeof searchText>[0] & Pick<QueryContext, "dependencies">;
type Limits = Pick<EngineRequest, "principal" | "signal" | "deadline">;

/** Names of fewer characters are on lines of every kind. */
const MIN_NAME_LENGTH = 3;
/**
 * In a large index only so many milliseconds are spent on a common name. The counts are then lower bounds, and the next
 * call counts again.
 */
const MAX_COUNT_MS = 1000;
/** Of a definition or a file. */
const NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*$/u;

/** Undefined for texts that are not one name, and for very short names. */
export async function linesWithName(
  context: Context,
  name: string,
  limits: Limits,
): Promise<LinesWithName | undefined> {
  if (name.length < MIN_NAME_LENGTH || !NAME.test(name)) return undefined;
  const found = await countLines(context, { pattern: name, isRegex: false, ...limits });
  const { lines, files } = found;
  return { lines, files, advice: `${phrase(found)} the name: ${listing(`-Fw ${name}`)}` };
}

/** The same for lines that have the name after `.`, `->` or `::`, as uses of members do. */
export async function linesWithMember(
  context: Context,
  name: string,
  limits: Limits,
): Promise<LinesWithName | undefined> {
  if (!/^\w+$/.test(name)) return undefined;
  const pattern = `[.>:]${name}\\b`;
  const found = await countLines(context, { pattern, isRegex: true, ...limits });
  const { lines, files } = found;
  return { lines, files, advice: `${phrase(found)} it after a dot: ${listing(`"${pattern}"`)}` };
}

interface Counts {
  readonly lines: number;
  readonly files: number;
  readonly isComplete: boolean;
}

async function countLines(
  context: Context,
  request: Limits & { readonly pattern: string; readonly isRegex: boolean },
): Promise<Counts> {
  const { deadline = Infinity } = request;
  const { totalMatches, totalFiles, isComplete, isTimed } = await searchText(context, {
    ...request,
    deadline: Math.min(deadline, performance.now() + MAX_COUNT_MS),
    caseSensitive: true,
    wholeWord: !request.isRegex,
    contextLines: 0,
    output: "count",
    limit: 1,
  });
  if (isTimed) context.dependencies?.markUncacheable();
  return { lines: totalMatches, files: totalFiles, isComplete };
}

function phrase({ lines, files, isComplete }: Counts): string {
  const least = isComplete ? "" : "At least ";
  return `${least}${count(lines, "line")} in ${count(files, "file")} ${lines === 1 ? "has" : "have"}`;
}

function listing(arguments_: string): string {
  return `\`search_text\` (or \`svc grep ${arguments_}\`) lists them.`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
