import type { FileFacts } from "../index/segment-reader.ts";
import { FileFlag } from "../index/format.ts";
import type { SegmentView, Snapshot } from "../index/snapshot.ts";
import type { Query } from "./parse-query.ts";
import { scoreAll, type Scores } from "./score.ts";
import { BLEND, BONUS, CLOSE_LOOK, CODE_SHARE, PRIOR } from "./weights.ts";

/** Which files a question is limited to; undefined is all. */
export type FileFilter = (file: FileFacts) => boolean;

/** One file of the answer, with its best chunk. */
export interface Ranked {
  readonly file: FileFacts;
  /** Number over the whole index. */
  readonly chunk: number;
  readonly score: number;
  /** What made the score: for `--explain` and the item's metadata. */
  readonly signals: Readonly<Record<string, number>>;
}

interface Candidate {
  readonly view: SegmentView;
  /** Number within the segment. */
  readonly file: number;
  readonly score: number;
}

/** Ranks the files of a snapshot for a question, best first, at most `limit`. */
export function rank(
  snapshot: Snapshot,
  query: Query,
  { limit, filter }: { limit: number; filter?: FileFilter | undefined },
): readonly Ranked[] {
  const scores = scoreAll(snapshot, query);
  const scale = scalesOf(scores);
  const looked = candidates(snapshot, scores, scale)
    .filter(({ view, file }) => filter === undefined || filter(view.reader.file(file)))
    .slice(0, Math.max(CLOSE_LOOK, limit));
  const docsShare = 1 - codeShare(snapshot);
  return looked
    .map((candidate) => closeLook(candidate, query, { scores, scale, docsShare }))
    .toSorted((one, other) => other.score - one.score || (one.file.path < other.file.path ? -1 : 1))
    .slice(0, limit);
}

interface Scale {
  readonly body: number;
  readonly names: number;
  readonly file: number;
}

function scalesOf(scores: Scores): Scale {
  return { body: 1 / max(scores.body), names: 1 / max(scores.names), file: 1 / max(scores.file) };
}

function max(values: Float32Array): number {
  let largest = 1e-9;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

/** Files with any score, by the blend of the file's own and its best chunk's. */
function candidates(snapshot: Snapshot, scores: Scores, scale: Scale): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const view of snapshot.segments) {
    const first = view.reader.firstChunks();
    for (let file = 0; file < view.reader.files; file += 1) {
      const own = scores.file[view.fileBase + file] ?? 0;
      if (own <= 0 || view.dead[file] === 1) continue;
      const end = first[file + 1] ?? view.reader.chunks;
      let best = 0;
      for (let chunk = first[file] ?? 0; chunk < end; chunk += 1) {
        best = Math.max(best, chunkScore(scores, scale, view.chunkBase + chunk));
      }
      found.push({ view, file, score: BLEND.file * own * scale.file + best });
    }
  }
  return found.toSorted(
    (one, other) =>
      other.score - one.score || one.view.fileBase + one.file - (other.view.fileBase + other.file),
  );
}

function chunkScore(scores: Scores, scale: Scale, chunk: number): number {
  return (
    BLEND.body * (scores.body[chunk] ?? 0) * scale.body +
    BLEND.names * (scores.names[chunk] ?? 0) * scale.names
  );
}

function closeLook(
  { view, file: ordinal }: Candidate,
  query: Query,
  { scores, scale, docsShare }: { scores: Scores; scale: Scale; docsShare: number },
): Ranked {
  const file = view.reader.file(ordinal);
  const best = bestChunk(view, file, query, { scores, scale });
  const signals: Record<string, number> = {
    file: BLEND.file * (scores.file[view.fileBase + ordinal] ?? 0) * scale.file,
    body: BLEND.body * (scores.body[best.chunk] ?? 0) * scale.body,
    names: BLEND.names * (scores.names[best.chunk] ?? 0) * scale.names,
    defined: best.defined,
    path: pathBonus(file.path, query),
  };
  const sum = Object.values(signals).reduce((total, value) => total + value, 0);
  const prior = priorOf(file, query, docsShare);
  return { file, chunk: best.chunk, score: sum * prior, signals: { ...signals, prior } };
}

/** The chunk of a file that answers best, numbered over the whole index. */
function bestChunk(
  view: SegmentView,
  { firstChunk, chunkCount }: FileFacts,
  query: Query,
  { scores, scale }: { scores: Scores; scale: Scale },
): { chunk: number; defined: number } {
  let best = { chunk: view.chunkBase + firstChunk, defined: 0 };
  let highest = -1;
  for (let at = 0; at < chunkCount; at += 1) {
    const chunk = view.chunkBase + firstChunk + at;
    // A chunk that defines a word of the question has its terms among its names; most have not, and
    // their names need not be read.
    const defined = (scores.names[chunk] ?? 0) > 0 ? definedBonus(view, firstChunk + at, query) : 0;
    const score = chunkScore(scores, scale, chunk) + defined;
    if (score > highest) {
      highest = score;
      best = { chunk, defined };
    }
  }
  return best;
}

/** The question names something that this chunk defines. */
function definedBonus(view: SegmentView, chunk: number, query: Query): number {
  const { names } = view.reader.chunk(chunk);
  let bonus = 0;
  for (const word of query.words) {
    const isIdentifier = query.identifiers.has(word);
    const defined = names.some(
      (name) => name === word || (query.isSymbol && name.toLowerCase() === word.toLowerCase()),
    );
    if (defined) bonus += isIdentifier ? BONUS.identifierDefined : BONUS.wordDefined;
  }
  return bonus;
}

function pathBonus(path: string, query: Query): number {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.replace(/\.[^.]+$/, "");
  let bonus = query.paths.some((wanted) => path === wanted || path.endsWith(`/${wanted}`))
    ? BONUS.pathNamed
    : 0;
  for (const word of query.words) {
    if (stem === word.toLowerCase()) {
      bonus += query.identifiers.has(word) ? BONUS.identifierIsFile : BONUS.wordIsFile;
    }
  }
  return bonus;
}

function priorOf(file: FileFacts, { asksFor }: Query, docsShare: number): number {
  let prior = 1;
  if (file.role === "tests" && !asksFor.tests) prior *= PRIOR.tests;
  if (file.role === "docs" && !asksFor.docs && docsShare < 1 - CODE_SHARE)
    prior *= PRIOR.docsAmongCode;
  if (file.role === "config" && !asksFor.config) prior *= PRIOR.config;
  if ((file.flags & FileFlag.example) !== 0 && !asksFor.examples) prior *= PRIOR.example;
  if ((file.flags & FileFlag.vendored) !== 0) prior *= PRIOR.vendored;
  if ((file.flags & FileFlag.generated) !== 0) prior *= PRIOR.generated;
  if (file.path.endsWith(".d.ts")) prior *= PRIOR.declarations;
  if (/(?:^|\/)(?:changelog|changes|history|news)\b/i.test(file.path) && !asksFor.docs)
    prior *= PRIOR.changelog;
  return prior;
}

/** Share of code and tests among the files. */
function codeShare(snapshot: Snapshot): number {
  let code = 0;
  for (const { reader } of snapshot.segments) {
    for (const role of reader.roles()) if (role <= 1) code += 1;
  }
  return code / Math.max(1, snapshot.files);
}
