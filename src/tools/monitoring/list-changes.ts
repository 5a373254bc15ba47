import * as v from "valibot";

import { boundedText, namespace, pathGlob, wholeNumberUpTo } from "../arguments.ts";
import { SvcError } from "../../base/errors.ts";
import { defineTool } from "../tool.ts";
import { apiChangesRecord } from "./api-change-record.ts";
import { apiChangesText } from "./api-change-text.ts";
import { changesRecord } from "./change-record.ts";
import { changesText } from "./change-text.ts";
import { driftRecord } from "./drift-record.ts";
import { driftText } from "./drift-text.ts";
import { versionRange } from "./version-range.ts";
import { whyRecord } from "./why-record.ts";
import { fittingCommits, whyTexts } from "./why-text.ts";

/** Commits in an answer about the history: each has its message and a part of its patch. */
const MAX_COMMITS = 10;
/** As the default of tools that have max_tokens, in tokens. */
const MAX_WHY_TOKENS = 2000;
/** The monitor of the documentation, which everyone has. Names of other monitors begin with a letter or a digit. */
const DOCS_MONITOR = "@docs";
/** The monitor of the public definitions, which everyone has too. */
const API_MONITOR = "@api";
/** How long a question waits for the commits to be read for the first time. */
const COMMITS_WAIT_MS = 8000;

export const listChanges = defineTool({
  name: "list_changes",
  title: "List changes",
  group: "monitoring",
  description:
    "Tell changed files, symbols, users, monitor hits; wait_ms waits. why: commits of path:12, symbol or words.",
  readOnly: true,
  input: {
    since: v.optional(
      v.pipe(boundedText(1000), v.description("Cursor, time, generation, commit.")),
    ),
    path: pathGlob,
    monitor: v.optional(boundedText(64)),
    wait_ms: v.optional(wholeNumberUpTo(25_000, 0)),
    why: v.optional(boundedText(4096)),
    limit: v.optional(wholeNumberUpTo(200, 1), 50),
    namespace,
  },
  aliases: { cursor: "since" },
  hasOutput: true,
  async run({ wait_ms, why, ...rest }, { engine, principal, signal, deadline, emit }) {
    const opened = await engine();
    if (why !== undefined) {
      requireAlone({ wait_ms, ...rest });
      const { limit, namespace: name } = rest;
      const result = await opened.why({
        question: why,
        limit: Math.min(limit, MAX_COMMITS),
        waitMs: COMMITS_WAIT_MS,
        namespace: name,
        principal,
        signal,
        deadline,
      });
      const shown = fittingCommits(result, MAX_WHY_TOKENS);
      for (const text of whyTexts(shown)) emit({ text });
      return { structured: whyRecord(shown), isRepeatable: result.isCacheable };
    }
    if (rest.monitor === DOCS_MONITOR) {
      const { monitor: _monitor, ...limits } = rest;
      const request = { ...limits, waitMs: COMMITS_WAIT_MS, principal, signal };
      const result = await opened.drift(request);
      emit({ text: driftText(result) });
      return { structured: driftRecord(result), isRepeatable: false };
    }
    if (rest.monitor === API_MONITOR) {
      const { monitor: _monitor, since, ...limits } = rest;
      const request = { ...limits, ...versionRange(since), principal, signal };
      const result = await opened.apiChanges(request);
      emit({ text: apiChangesText(result) });
      return { structured: apiChangesRecord(result), isRepeatable: false };
    }
    const result = await opened.changes({ ...rest, waitMs: wait_ms ?? 0, principal, signal });
    emit({ text: changesText(result) });
    return { structured: changesRecord(result) };
  },
});

/** Throws INVALID_PARAMS for arguments that limit changes of files, which a question about commits has none of. */
function requireAlone(others: {
  readonly since?: string | undefined;
  readonly path?: string | undefined;
  readonly monitor?: string | undefined;
  readonly wait_ms?: number | undefined;
}): void {
  const { since, path, monitor, wait_ms } = others;
  const given = Object.entries({ since, path, monitor, wait_ms }).find(
    ([, value]) => value !== undefined,
  );
  if (given === undefined) return;
  throw new SvcError("INVALID_PARAMS", `${given[0]}: cannot be used with why.`, {
    hint: "Use `why` only with `limit` or `namespace`.",
  });
}
