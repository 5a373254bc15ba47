import { SvcError } from "../../base/errors.ts";
import type { SearchRequest } from "../../engine/api/search.ts";
import { ensureUpToDate } from "../bring-up-to-date.ts";
import type { CommandContext } from "../command.ts";
import { openProject } from "../open-project.ts";
import { searchInteractively } from "./search-interactively.ts";

interface InteractiveRequest {
  /** The first query. */
  readonly query: string | undefined;
  /** The PATH argument. */
  readonly folder: string | undefined;
  readonly namespace: string | undefined;
  readonly includeSecrets: boolean;
  readonly language: string | undefined;
  /** A glob. */
  readonly path: string | undefined;
  readonly kind: SearchRequest["kinds"];
  readonly allCopies: boolean;
}

/** Enough for several windows. */
const LIMITS = { limit: 30, maxTokens: 4000 } as const;
/** Maximum lines of a preview: enough for a high window. */
const PREVIEW_LINES = 100;
const PREVIEW_TOKENS = 4000;

/** Runs `svc search -i` in the project around PATH; returns the exit code. Throws USAGE without a terminal. */
export async function runInteractive(
  { query = "", folder, namespace: named, includeSecrets, ...filters }: InteractiveRequest,
  context: CommandContext,
): Promise<number | undefined> {
  const { app, io } = context;
  if (!io.inputIsTerminal || !(io.isTerminal || io.errIsTerminal)) {
    throw new SvcError("USAGE", "-i needs a terminal.", {
      hint: "Omit -i to print the results.",
    });
  }
  const choice = { path: folder, namespace: named, showsSecrets: includeSecrets };
  const project = await openProject(context, choice);
  let namespace = await ensureUpToDate(context, project);
  const { language, path, kind: kinds, allCopies } = filters;
  const { engine, fileOf } = project;
  return searchInteractively(context, {
    query,
    fileOf,
    async refresh() {
      namespace = await ensureUpToDate(context, project);
    },
    search: (text, signal) =>
      engine.search({
        query: text,
        allowsShortQuery: true,
        ...LIMITS,
        language,
        path,
        kinds,
        allCopies,
        namespace,
        principal: app.owner,
        signal,
      }),
    async read({ namespace: own, path: file, bestLine, endLine }, signal) {
      const end = Math.min(endLine, bestLine + PREVIEW_LINES);
      const { parts } = await engine.read({
        targets: [`${file}:${bestLine}-${end}`],
        maxTokens: PREVIEW_TOKENS,
        // A passage of several namespaces names its own.
        namespace: own ?? namespace,
        principal: app.owner,
        signal,
      });
      const [part] = parts;
      return part && { startLine: part.startLine, lines: part.lines };
    },
  });
}
