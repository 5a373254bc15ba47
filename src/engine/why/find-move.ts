// Finds where a definition was before a commit that added it: moved from another file, or to another place of the same
// file. `git log -L` ends there.

import { chunkFile } from "../../chunk/chunk.ts";
import type { SymbolDefinition } from "../../parse/symbols/symbol-definition.ts";
import { fingerprintsOf } from "../../parse/fingerprints.ts";
import { languageOf } from "../../scan/classify.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import { readPatches } from "../../sources/commit-patches.ts";
import { readBlobs } from "../../sources/git-blobs.ts";
import type { GitSource } from "../../sources/git.ts";
import type { CommittedRange } from "../../sources/line-history.ts";
import { pathOfSource, type SourceHistory } from "../../sources/open-history.ts";
import type { FilePatch } from "../../sources/patch-text.ts";
import type { Git } from "../../sources/run-git.ts";
import { decodeText } from "../../sources/text/decode-text.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { removedLines, shareOfLines } from "./hunk-text.ts";

/** A definition in the commit that added it. */
export interface AddedDefinition extends CommittedRange {
  /** Full id of the commit before. */
  readonly parent: string;
  /** Simple name; "" for lines that are not a definition. */
  readonly name: string;
  /** Its lines in the commit that added it. */
  readonly lines: readonly string[];
}

interface MoveContext {
  readonly git: Git;
  readonly source: GitSource;
  readonly history: SourceHistory;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** A definition is the same under the same name with this share of its lines, or under another one with more. */
const MIN_SHARE_OF_SAME_NAME = 0.3;
const MIN_SHARE_OF_OTHER_NAME = 0.6;
const MAX_PATCH_BYTES = 16 << 20;
/** Files that lost the most lines of the definition, of one commit. */
const MAX_FILES = 3;

/** Returns the range of the definition in the commit before; undefined if it is new. Throws TIMEOUT. */
export async function findMove(
  context: MoveContext,
  added: AddedDefinition,
): Promise<CommittedRange | undefined> {
  const { git, history, signal, timeoutMs } = context;
  const { commits } = await readPatches(
    git,
    { ids: [added.commit], below: history.below },
    { signal, timeoutMs, maxBytes: MAX_PATCH_BYTES },
  );
  const files = (commits[0]?.files ?? []).flatMap((file) => lossOf(file, added));
  const likely = files
    .filter(({ share }) => share >= MIN_SHARE_OF_SAME_NAME)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MAX_FILES);
  let best: Candidate | undefined;
  for (const { path } of likely) {
    // oxlint-disable-next-line no-await-in-loop -- few files
    for (const candidate of await definitionsIn(context, added, path))
      if (candidate.score > (best?.score ?? 0)) best = candidate;
  }
  return best?.range;
}

/** The share of the definition's lines that a file lost. */
function lossOf(
  { oldPath, hunks }: FilePatch,
  { lines }: AddedDefinition,
): readonly { readonly path: string; readonly share: number }[] {
  if (oldPath === undefined || skipReasonOfPath(oldPath) !== undefined) return [];
  return [{ path: oldPath, share: shareOfLines(lines, removedLines(hunks)) }];
}

interface Candidate {
  readonly range: CommittedRange;
  /** Larger is more alike. */
  readonly score: number;
}

/** The definitions of a file in the commit before that may be the added one. */
async function definitionsIn(
  { source, history, signal }: MoveContext,
  { parent, commit, path: addedPath, startLine, endLine, name, lines }: AddedDefinition,
  path: string,
): Promise<readonly Candidate[]> {
  const was = pathOfSource(history, path);
  const now = pathOfSource(history, addedPath);
  if (was === undefined || now === undefined) return [];
  const limits = { signal, maxBytes: MAX_INDEXED_BYTES };
  const [before, after] = await Promise.all([
    readBlobs(source, { commit: parent, paths: [was] }, limits),
    readBlobs(source, { commit, paths: [now] }, limits),
  ]);
  const old = await parsed(was, before.get(was));
  const own = await parsed(now, after.get(now));
  const body = own?.symbols.find(
    ({ symbol }) =>
      symbol.name === name && symbol.nameLine >= startLine && symbol.nameLine <= endLine,
  )?.body;
  if (old === undefined) return [];
  return old.symbols.flatMap(({ symbol, body: oldBody }) => {
    const text = old.lines.slice(symbol.startLine - 1, symbol.endLine);
    const isSame = body !== undefined && oldBody === body;
    const share = isSame ? 1 : shareOfLines(lines, text);
    const isNamed = symbol.name === name;
    if (share < (isNamed ? MIN_SHARE_OF_SAME_NAME : MIN_SHARE_OF_OTHER_NAME)) return [];
    const range = {
      commit: parent,
      path,
      startLine: symbol.startLine,
      endLine: symbol.endLine,
    };
    // If a class and its method both have all lines, the method is meant.
    return [{ range, score: share + (isNamed ? 1 : 0) + 1 / (1 + text.length) }];
  });
}

interface ParsedFile {
  readonly lines: readonly string[];
  readonly symbols: readonly { readonly symbol: SymbolDefinition; readonly body: number }[];
}

async function parsed(path: string, blob: Buffer | undefined): Promise<ParsedFile | undefined> {
  const decoded = blob === undefined ? undefined : decodeText(blob);
  if (decoded === undefined || decoded.isBinary) return undefined;
  const text = decoded.text.replaceAll("\r\n", "\n");
  const language = languageOf(path, text.slice(0, 200));
  const { symbols } = chunkFile({ path, language, text }, await packedGrammars());
  const { symbols: fingerprints } = fingerprintsOf({ text, language, symbols });
  return {
    lines: text.split("\n"),
    symbols: symbols.flatMap((symbol, at) => {
      const body = fingerprints[at]?.body;
      return body === undefined ? [] : [{ symbol, body }];
    }),
  };
}
