// Finds the commits that a question in words is about, by their messages and the lines that they changed.

import { chunkFile } from "../../chunk/chunk.ts";
import type { Candidates } from "../../index/scoring/candidates.ts";
import { findCandidates } from "../../index/scoring/find-candidates.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { parseQuery, type Query } from "../../search/parse-query.ts";
import { COMMIT_WEIGHTS } from "../../search/weights.ts";
import { readCommits } from "../../sources/commit-objects.ts";
import { readPatches } from "../../sources/commit-patches.ts";
import { readBlobs } from "../../sources/git-blobs.ts";
import { repositoryAbove } from "../../sources/git.ts";
import { openHistory, pathOfSource, type SourceHistory } from "../../sources/open-history.ts";
import type { FilePatch, PatchHunk } from "../../sources/patch-text.ts";
import type { Source } from "../../sources/registry/records.ts";
import { withGit } from "../../sources/run-git.ts";
import { rootProblem, requireRoot } from "../../sources/source-root.ts";
import { decodeText } from "../../sources/text/decode-text.ts";
import { idInPath } from "../../index/commits/commit-path.ts";
import type { TouchedDefinition, WhyCommit, WhyRequest, WhyResult } from "../api/why.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { innermostAt } from "../symbols/innermost-symbol.ts";
import type { CommitIndexer, SearchedCommits } from "./commit-indexer.ts";
import { described, mergedRequests, revertsAmong } from "./describe-commit.ts";
import { hunkText } from "./hunk-text.ts";

interface WordsContext {
  readonly namespace: string;
  readonly sources: readonly Source[];
  readonly indexer: CommitIndexer;
  readonly tokenizer: Tokenizer;
}

/** The commits of one source in the answer. */
interface SourceCommits extends SearchedCommits {
  readonly source: Source;
}

/** Of the words in the index; reading the commits of the answer comes after it. */
const MAX_SEARCH_MS = 5000;
/** Commits that are read to find reverts among them. */
const MIN_READ_COMMITS = 50;
const READ_LIMITS = { timeoutMs: 10_000, maxBytes: 24 << 20 };
/** Of each commit, these are read to name the definitions that it touched. */
const MAX_TOUCHED_FILES = 3;
const MAX_TOUCHED = 8;
const MAX_PARSED_BYTES = 300_000;
const MAX_NAMED_WORDS = 5;
/** Hunks of one commit that are shown. */
const MAX_SHOWN_HUNKS = 3;

/** Throws INVALID_PARAMS if no source has a usable repository, and TIMEOUT. */
export async function explainWords(
  { namespace, sources, indexer, tokenizer }: WordsContext,
  { question, limit, signal, waitMs, onProgress }: WhyRequest,
): Promise<Pick<WhyResult, "commits" | "partial">> {
  const searched: SourceCommits[] = [];
  for (const source of withRepository(sources)) {
    requireRoot(source);
    // oxlint-disable-next-line no-await-in-loop -- few sources
    const own = await indexer.of(namespace, source, { signal, waitMs, onProgress });
    searched.push({ source, ...own });
  }
  const query = parseQuery(question, tokenizer);
  const terms = [...query.terms.keys()];
  const endsAt = performance.now() + MAX_SEARCH_MS;
  const isLate = (): boolean => performance.now() > endsAt;
  const candidates = await findCandidates(
    searched.map(({ index }) => index.begin(terms, isLate)),
    { terms: query.terms, weights: COMMIT_WEIGHTS, limit: Math.max(limit, MIN_READ_COMMITS) },
  );
  const ids = candidates.files.map(({ file }) => idInPath(file.path));
  const found = new Map<string, WhyCommit>();
  for (const { source, index } of searched) {
    const own = ids.filter((id) => index.ids.has(id));
    // oxlint-disable-next-line no-await-in-loop -- few sources
    const commits = await describe(source, own, { query, limit, signal });
    for (const commit of commits) found.set(commit.id, commit);
  }
  return {
    commits: ids.flatMap((id) => found.get(id) ?? []).slice(0, limit),
    partial: [
      ...new Set(searched.flatMap(({ problem }) => problem ?? [])),
      ...(ids.length === 0 ? [] : missingWords(query, candidates)),
    ],
  };
}

/** Names the words of the question that no commit has: the answer is about the others. */
function missingWords(
  { words, terms, split }: Query,
  { terms: found }: Pick<Candidates, "terms">,
): readonly string[] {
  const known = new Set(found.map(({ term }) => term));
  const missing = [...new Set(words)].filter((word) => {
    const own = split(word).filter((term) => terms.has(term));
    return own.length > 0 && !own.some((term) => known.has(term));
  });
  if (missing.length === 0) return [];
  const named = missing.slice(0, MAX_NAMED_WORDS).map((word) => `"${word}"`);
  return [`No commit has ${missing.length === 1 ? "the word" : "the words"} ${named.join(", ")}.`];
}

/** The sources with a usable repository; the first one, for its error, if there are none. */
function withRepository(sources: readonly Source[]): readonly Source[] {
  const usable = sources.filter(
    (source) => rootProblem(source) === undefined && repositoryAbove(source) !== undefined,
  );
  const [first] = sources;
  if (usable.length > 0 || first === undefined) return usable;
  return [first];
}

interface DescribeOptions {
  readonly query: Query;
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function describe(
  source: Source,
  ids: readonly string[],
  { query, limit, signal }: DescribeOptions,
): Promise<readonly WhyCommit[]> {
  if (ids.length === 0) return [];
  const history = await openHistory(source, signal);
  const limits = { ...READ_LIMITS, signal };
  return withGit(history.repository, async (git) => {
    const commits = await readCommits(git, ids, limits);
    const known = ids.flatMap((id) => commits.get(id) ?? []);
    const reverts = revertsAmong(known);
    const shown = known.slice(0, limit);
    const { commits: patches } = await readPatches(
      git,
      { ids: shown.map(({ id }) => id), below: history.below },
      limits,
    );
    const merged = await mergedRequests(git, { head: history.head, commits: shown }, limits);
    const filesOf = new Map(patches.map(({ id, files }) => [id, files]));
    const matches = wordMatcher(query);
    const result: WhyCommit[] = [];
    for (const commit of shown) {
      const files = (filesOf.get(commit.id) ?? []).filter(
        (file) => skipReasonOfPath(file.path ?? file.oldPath ?? "") === undefined,
      );
      const best = bestFile(files, matches);
      const path = best && pathOfSource(history, best.path);
      result.push({
        ...described(commit, reverts),
        merged: merged.get(commit.id),
        why: [],
        isFormatting: false,
        path: path === undefined ? "" : source.prefix + path,
        hunk: best === undefined ? "" : hunkText(best.hunks),
        // oxlint-disable-next-line no-await-in-loop -- a commit at a time
        touched: await touchedBy({ source, history, signal }, commit.id, files),
      });
    }
    return result;
  });
}

/** Returns the number of different terms of the query in some lines. */
function wordMatcher({ terms, split }: Query): (lines: readonly string[]) => number {
  return (lines) => {
    const found = new Set<string>();
    for (const word of lines.join("\n").match(/[\p{L}\p{N}_$]+/gu) ?? [])
      for (const term of split(word)) if (terms.has(term)) found.add(term);
    return found.size;
  };
}

/** The file with the hunks that have the most words of the question, and those hunks. */
function bestFile(
  files: readonly FilePatch[],
  matches: (lines: readonly string[]) => number,
): { readonly path: string; readonly hunks: readonly PatchHunk[] } | undefined {
  let best: { path: string; hunks: readonly PatchHunk[]; score: number } | undefined;
  for (const { path, oldPath, hunks } of files) {
    const scored = hunks
      .map((hunk) => ({ hunk, score: matches([hunk.section, ...hunk.lines]) }))
      .toSorted((one, other) => other.score - one.score);
    const score = scored[0]?.score ?? -1;
    if (score <= (best?.score ?? -1)) continue;
    const shown = scored.slice(0, MAX_SHOWN_HUNKS).map(({ hunk }) => hunk);
    best = {
      path: path ?? oldPath ?? "",
      hunks: shown.toSorted((one, other) => one.newStart - other.newStart),
      score,
    };
  }
  return best;
}

/** The definitions that a commit touched, as they are in it. */
async function touchedBy(
  {
    source,
    history,
    signal,
  }: {
    readonly source: Source;
    readonly history: SourceHistory;
    readonly signal: AbortSignal;
  },
  commit: string,
  files: readonly FilePatch[],
): Promise<readonly TouchedDefinition[]> {
  const parsed = files.flatMap(({ path, hunks }) => {
    const own = path === undefined ? undefined : pathOfSource(history, path);
    return own === undefined || languageOf(own) === undefined || hunks.length === 0
      ? []
      : [{ path: own, hunks }];
  });
  const wanted = parsed.slice(0, MAX_TOUCHED_FILES);
  const paths = wanted.map(({ path }) => path);
  const blobs = await readBlobs(source, { commit, paths }, { signal, maxBytes: MAX_PARSED_BYTES });
  const touched = new Map<string, TouchedDefinition>();
  for (const { path, hunks } of wanted) {
    const blob = blobs.get(path);
    const { text, isBinary } = blob === undefined ? NO_TEXT : decodeText(blob);
    if (isBinary) continue;
    const language = languageOf(path, text.slice(0, 200));
    // oxlint-disable-next-line no-await-in-loop -- loaded once
    const { symbols } = chunkFile({ path, language, text }, await packedGrammars());
    const definitions = symbols.filter(({ kind }) => kind !== "section");
    for (const { newStart, newCount } of hunks) {
      for (let line = newStart; line < newStart + Math.max(1, newCount); line += 1) {
        const symbol = innermostAt(definitions, { startLine: line })?.qualifiedName;
        if (symbol === undefined || touched.size >= MAX_TOUCHED) continue;
        touched.set(`${path}#${symbol}`, { path: source.prefix + path, symbol });
      }
    }
  }
  return [...touched.values()];
}

const NO_TEXT = { text: "", isBinary: true } as const;
