// Lines that fixed a bug and are still there: the commit that fixed it explains the line.
import { fileRole, languageOf } from "../../src/scan/classify.ts";
import { parsePatches, type PatchHunk } from "../../src/sources/patch-text.ts";
import { git } from "./git.ts";

/** A line at HEAD that a fixing commit wrote. */
export interface FixedLine {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The drawn commit, which added the text of the line. */
  readonly fix: string;
  /** By `git blame -w -M -C`: the last commit that wrote it. */
  readonly blamed: string;
}

/** The commits that other methods name first for the same line. */
export interface OtherAnswers {
  /** The newest commit of `git log -L`. */
  readonly log: string;
  /** `git blame` without options. */
  readonly blame: string;
}

const FIXES = String.raw`\b(fix(e[sd])?|bug|crash|leak|regression|wrong|incorrect)\b`;
/** A shorter line is in many places. */
const MIN_CHARACTERS = 16;

/** Draws up to `count` lines, each from another commit, in the order of the commits' ids, which is random. */
export function drawLines(folder: string, count: number): readonly FixedLine[] {
  const log = ["log", "--no-merges", "--format=%H", "-i", "-P", `--grep=${FIXES}`, "HEAD"];
  const ids = git(folder, log).split("\n").filter(Boolean).toSorted();
  const lines: FixedLine[] = [];
  const head = new HeadFiles(folder);
  for (const id of ids) {
    if (lines.length === count) break;
    const line = lineOf(folder, head, id);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

/** The text of files at HEAD. */
class HeadFiles {
  readonly #folder: string;
  readonly #files = new Map<string, readonly string[]>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the only line with this text; undefined if there is none or there are several. 1-based. */
  lineWith(path: string, text: string): number | undefined {
    let lines = this.#files.get(path);
    if (lines === undefined) {
      lines = git(this.#folder, ["show", `HEAD:${path}`])
        .split("\n")
        .map(squeezed);
      this.#files.set(path, lines);
    }
    const first = lines.indexOf(text);
    return first === -1 || lines.includes(text, first + 1) ? undefined : first + 1;
  }
}

function lineOf(folder: string, head: HeadFiles, id: string): FixedLine | undefined {
  const patch = git(folder, ["diff-tree", "--stdin", "-p", "-r", "-M", "--unified=0", id]);
  const text =
    patch === "" ? git(folder, ["diff-tree", "-p", "-r", "-M", "--unified=0", id]) : patch;
  const files = parsePatches(text)[0]?.files ?? [];
  const removed = new Set(files.flatMap(({ hunks }) => linesWith(hunks, "-")));
  const candidates = files.flatMap(({ path, hunks }) => {
    const language = path === undefined ? undefined : languageOf(path);
    if (path === undefined || language === undefined || fileRole(path, language) === "docs")
      return [];
    return linesWith(hunks, "+")
      .filter((line) => line.length >= MIN_CHARACTERS && !removed.has(line))
      .map((line) => ({ path, line: head.lineWith(path, line) }));
  });
  const there = candidates.filter(({ line }) => line !== undefined);
  const at = Number.parseInt(id.slice(0, 8), 16) % Math.max(1, there.length);
  const { path = "", line = 0 } = there[at] ?? {};
  if (line === 0) return undefined;
  const blamed = blameOf(folder, { path, line }, ["-w", "-M", "-C"]);
  return { path, line, fix: id, blamed };
}

function linesWith(hunks: readonly PatchHunk[], mark: "+" | "-"): readonly string[] {
  return hunks.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => squeezed(line.slice(1))),
  );
}

function squeezed(line: string): string {
  return line.replaceAll(/\s+/g, "");
}

type Place = Pick<FixedLine, "path" | "line">;

function blameOf(folder: string, { path, line }: Place, options: readonly string[]): string {
  const range = `-L${line},${line}`;
  const text = git(folder, ["blame", "--porcelain", ...options, range, "HEAD", "--", path]);
  return text.slice(0, text.indexOf(" "));
}

export function otherAnswers(folder: string, { path, line }: Place): OtherAnswers {
  const log = git(folder, ["log", "--format=%H", "-s", `-L${line},${line}:${path}`, "HEAD"]);
  return { log: log.split("\n")[0] ?? "", blame: blameOf(folder, { path, line }, []) };
}
