// Finds the commits that wrote lines, and skips those that only moved or reformatted them.

import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import { readPatches } from "../../sources/commit-patches.ts";
import { readBlobs } from "../../sources/git-blobs.ts";
import type { GitSource } from "../../sources/git.ts";
import {
  readLineOrigins,
  type CommittedRange,
  type LineOrigin,
} from "../../sources/line-history.ts";
import { pathOfSource, type SourceHistory } from "../../sources/open-history.ts";
import type { FilePatch, PatchHunk } from "../../sources/patch-text.ts";
import type { Git, GitLimits } from "../../sources/run-git.ts";
import type { CommittedFile } from "../../sources/uncommitted-lines.ts";
import type { DefinitionChange } from "./definition-history.ts";
import { comparable, isFormatting } from "./hunk-text.ts";
import type { WhyPlace } from "./why-target.ts";

interface WriterContext {
  readonly git: Git;
  readonly source: GitSource;
  readonly history: SourceHistory;
  /** The limits of the next command of git. */
  readonly limits: () => GitLimits;
}

/** A file has more lines than an answer can explain one by one. */
const MAX_BLAMED_LINES = 400;
/** Commits that only reformatted the lines, one before the other, before the one that wrote them. */
const MAX_FORMATTINGS = 4;

/** Hunks of a file in a commit. */
export interface ShownHunks {
  /** Relative to the top level of the repository. */
  readonly path: string;
  readonly hunks: readonly PatchHunk[];
}

/** The commits that wrote the lines of a question. */
export class LineWriters {
  readonly #context: WriterContext;
  readonly #place: WhyPlace;
  readonly #formatting = new Set<string>();
  #isWhole = true;

  constructor(context: WriterContext, place: WhyPlace) {
    this.#context = context;
    this.#place = place;
  }

  /** Whether git had the time to read all that was asked for. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Commits that changed the lines and only reformatted them. */
  get formatting(): ReadonlySet<string> {
    return this.#formatting;
  }

  /** Finds the commit that wrote each line, by line. A commit that only reformatted a line did not write it. */
  async writersOf(
    file: CommittedFile,
    asked: readonly number[],
    ignored: readonly string[],
  ): Promise<ReadonlyMap<number, LineOrigin>> {
    const { git, history } = this.#context;
    const lines = new Map<number, number>();
    for (const line of asked.slice(0, MAX_BLAMED_LINES)) {
      const old = file.lineOf(line);
      if (old !== undefined) lines.set(old, line);
    }
    if (lines.size === 0) return new Map();
    const range: CommittedRange = {
      commit: history.head,
      path: file.path,
      startLine: Math.min(...lines.keys()),
      endLine: Math.max(...lines.keys()),
    };
    let skipped = [...ignored];
    let origins: ReadonlyMap<number, LineOrigin> = new Map();
    for (let round = 0; round <= MAX_FORMATTINGS; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each round leaves out what the one before found
      const found = await readLineOrigins(git, range, {
        ...this.#context.limits(),
        ignored: skipped,
      });
      if (found.size === 0) break;
      origins = found;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const formatting = await this.#formattingAmong(ofLines(found, lines.keys()));
      if (formatting.length === 0 || round === MAX_FORMATTINGS) break;
      for (const id of formatting) this.#formatting.add(id);
      skipped = [...skipped, ...formatting];
    }
    this.#isWhole &&= origins.size > 0;
    return new Map(
      [...lines].flatMap(([old, line]) => {
        const origin = origins.get(old);
        return origin === undefined ? [] : [[line, origin] as const];
      }),
    );
  }

  /** Replaces a commit that only moved the definition by the one that wrote the line before. */
  async beforeMoves(
    origins: ReadonlyMap<number, LineOrigin>,
    changes: readonly DefinitionChange[],
    ignored: readonly string[],
  ): Promise<ReadonlyMap<number, LineOrigin>> {
    const { git, source, history } = this.#context;
    const found = new Map(origins);
    for (const { id, movedFrom } of changes) {
      const moved = [...found].filter(([, origin]) => origin.id === id);
      const path = movedFrom && pathOfSource(history, movedFrom.path);
      if (movedFrom === undefined || path === undefined || moved.length === 0) continue;
      const { commit, startLine, endLine } = movedFrom;
      // oxlint-disable-next-line no-await-in-loop -- few moves
      const [before, blobs] = await Promise.all([
        readLineOrigins(git, movedFrom, { ...this.#context.limits(), ignored }),
        readBlobs(
          source,
          { commit, paths: [path] },
          { signal: this.#context.limits().signal, maxBytes: MAX_INDEXED_BYTES },
        ),
      ]);
      const texts = (blobs.get(path)?.toString() ?? "").split("\n").map(comparable);
      for (const [line] of moved) {
        const text = comparable(this.#place.lines[line - 1] ?? "");
        const at = text === "" ? -1 : texts.indexOf(text, startLine - 1);
        const origin = at < endLine ? before.get(at + 1) : undefined;
        if (origin !== undefined) found.set(line, origin);
      }
    }
    return found;
  }

  /** Those of the commits that changed only the form of this file. */
  async #formattingAmong(origins: readonly LineOrigin[]): Promise<readonly string[]> {
    const ids = new Set(origins.map(({ id }) => id));
    // Only a few commits wrote the lines of a question; of a whole definition all are shown anyway.
    if (!this.#place.isLines || ids.size > MAX_FORMATTINGS) return [];
    const hunks = await this.hunksOf(origins);
    return [...ids].filter((id) => {
      const own = hunks.get(id);
      return own !== undefined && isFormatting(own.hunks);
    });
  }

  /** The hunks that added these lines, by commit. */
  async hunksOf(origins: readonly LineOrigin[]): Promise<ReadonlyMap<string, ShownHunks>> {
    const { git, history } = this.#context;
    const byId = Map.groupBy(origins, ({ id }) => id);
    if (byId.size === 0) return new Map();
    const ids = [...byId.keys()];
    const { commits } = await readPatches(
      git,
      { ids, below: history.below },
      this.#context.limits(),
    );
    return new Map(
      commits.flatMap(({ id, files }) => {
        const own = hunksAdding(files, byId.get(id) ?? []);
        return own === undefined ? [] : [[id, own] as const];
      }),
    );
  }
}

function ofLines(
  origins: ReadonlyMap<number, LineOrigin>,
  lines: Iterable<number>,
): readonly LineOrigin[] {
  return [...lines].flatMap((line) => origins.get(line) ?? []);
}

/** The file with the first of these lines, and its hunks that added some of them. */
function hunksAdding(
  files: readonly FilePatch[],
  origins: readonly LineOrigin[],
): ShownHunks | undefined {
  const path = origins[0]?.path ?? "";
  const file = files.find((one) => one.path === path);
  if (file === undefined || skipReasonOfPath(path) === "secret") return undefined;
  const hunks = file.hunks.filter(({ newStart, newCount }) =>
    origins.some(({ line }) => line >= newStart && line < newStart + newCount),
  );
  return hunks.length === 0 ? undefined : { path, hunks };
}
