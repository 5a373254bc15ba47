// Known-item search: queries for commits by some of the words of their subjects.
import { git } from "./git.ts";

/** A commit and the words that someone remembers of it. */
export interface KnownCommit {
  readonly id: string;
  readonly words: readonly string[];
}

const STOP = new Set(
  (
    "a an the of to in on for and or is are be as by with from at it its this that these those how does do did not no " +
    "when where which who why into than then there if so such any each other also only more most very just was were " +
    "has have had been being can could should would may might will use used using via per"
  ).split(" "),
);
const MIN_WORDS = 4;
/** One word in this many is forgotten. */
const FORGOTTEN = 3;
const MIN_WORD_LENGTH = 2;

/** Draws up to `count` commits with different subjects, in the order of their ids, which is random. */
export function drawCommits(folder: string, count: number): readonly KnownCommit[] {
  const entries = git(folder, ["log", "--no-merges", "--format=%H %s", "HEAD"])
    .split("\n")
    .filter(Boolean)
    .map((line) => ({
      id: line.slice(0, line.indexOf(" ")),
      subject: line.slice(line.indexOf(" ") + 1),
    }));
  const times = Map.groupBy(entries, ({ subject }) => subject.toLowerCase());
  return entries
    .filter(({ subject }) => times.get(subject.toLowerCase())?.length === 1)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ id, subject }) => {
      const words = contentWords(subject);
      if (words.length < MIN_WORDS) return [];
      // The commit decides which words are forgotten, not their positions.
      const first = Number.parseInt(id.slice(-8), 16) % FORGOTTEN;
      return [{ id, words: words.filter((_, at) => at % FORGOTTEN !== first) }];
    })
    .slice(0, count);
}

/** Words without numbers, because numbers name an issue rather than a topic. */
function contentWords(subject: string): readonly string[] {
  const words = subject.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH && !STOP.has(word));
}

/** The commits that `git log --grep` finds with all words, newest first. */
export function grepAll(folder: string, words: readonly string[]): readonly string[] {
  return grep(folder, ["--all-match", ...words.map((word) => `--grep=${word}`)]);
}

/** The commits with any of the words, those with the most words first, then the newest. */
export function grepAny(folder: string, words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words)
    for (const id of grep(folder, [`--grep=${word}`])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const order = grep(
    folder,
    words.map((word) => `--grep=${word}`),
  );
  return order.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
}

function grep(folder: string, patterns: readonly string[]): readonly string[] {
  const log = ["log", "--no-merges", "--format=%H", "-i", "-F", ...patterns, "HEAD"];
  return git(folder, log).split("\n").filter(Boolean);
}

/** 1 for the first place, 1/2 for the second; 0 if it is not among the first ten. */
export function reciprocalRank(found: readonly string[], wanted: string): number {
  const at = found.slice(0, 10).indexOf(wanted);
  return at === -1 ? 0 : 1 / (at + 1);
}
