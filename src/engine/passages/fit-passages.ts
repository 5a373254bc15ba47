// Turns ranked chunks into passages: reads the current text, joins adjacent chunks of a file, and fits all
// passages into the token budget of the answer.

import { isProse } from "../../chunk/prose.ts";
import { isProseDocument } from "../../base/documents/document-formats.ts";
import { documentPlace, linesInPart } from "../../base/documents/places.ts";
import type { IndexReader } from "../../index/port.ts";
import type { FileFacts } from "../../index/types.ts";
import { readFences } from "../../search/fences.ts";
import { toHundredths, type Confidence } from "../../search/confidence.ts";
import type { Query } from "../../search/parse-query.ts";
import { bestLine } from "../../search/select-lines.ts";
import {
  fittingExcerpt,
  maxPassageLines,
  passageBudget,
  estimateTokens,
} from "../../search/passage-budget.ts";
import type { QueryContext } from "../query-context.ts";
import { relocateChunk, textIfReadable } from "../files/current-file.ts";
import type { Passage } from "../api/search.ts";
import {
  joinPlaces,
  spanOf,
  type CurrentText,
  type FoundChunk,
  type PassagePlace,
} from "./places.ts";
import { shownSymbol } from "./shown-symbol.ts";

interface FitOptions {
  readonly query: Query;
  readonly maxTokens: number;
  /** Number of results on earlier pages. */
  readonly offset: number;
  /** If all results are weak, passages are shorter. */
  readonly confidence: Pick<Confidence, "isWeak" | "ofResult">;
  /** Score of the first result of the answer, on whichever page it is. */
  readonly topScore: number;
  /** True to return all lines of a passage. */
  readonly showsFullPassages: boolean;
}

/** A passage for each result, in the given order. Neighbours of a better result become part of its passage. */
export function fitPassages(
  results: readonly PassagePlace[],
  { query, maxTokens, offset, confidence, topScore, showsFullPassages }: FitOptions,
): readonly Passage[] {
  const places = joinPlaces(results.map((place) => withFocus(place, query)));
  const { isWeak } = confidence;
  const first = confidence.ofResult(topScore);
  const named = places.map(({ found }) => ({
    path: found.file.path,
    symbol: shownSymbol(found.chunk, found.file),
  }));
  let budget = passageBudget(maxTokens, named);
  return places.map((place, at) => {
    const parts = place.chunks.map((chunk, index) => {
      const isNeighbor = index > 0;
      return { ...chunk, maxLines: maxPassageLines(offset + at, { isWeak, first, isNeighbor }) };
    });
    const text = showsFullPassages
      ? firstLines(place, budget)
      : fittingExcerpt(place.file, parts, { query, maxTokens: budget });
    budget -= estimateTokens(text);
    return passageOf(place, text, confidence);
  });
}

/** A passage of a document may span several pages: the one that matches best is its place. */
function withFocus(place: PassagePlace, query: Query): PassagePlace {
  const { file, chunks } = place;
  const [chunk] = chunks;
  if (file.current.document === undefined || chunk === undefined) return place;
  const lines = file.lines.slice(chunk.startLine - 1, chunk.endLine);
  return { ...place, focus: chunk.startLine + bestLine(lines, query) };
}

function documentPlaceOf(place: PassagePlace): string | undefined {
  const { found, file, focus } = place;
  const { document } = file.current;
  if (document === undefined || focus === undefined) return undefined;
  const lines = linesInPart(document, spanOf(place), focus);
  return documentPlace(found.file.path, document, lines);
}

/** The first lines of a place that fit. They are consecutive, so that a reader can number them. */
function firstLines(place: PassagePlace, maxTokens: number): string {
  const { startLine, endLine } = spanOf(place);
  const lines: string[] = [];
  let length = 0;
  for (const line of place.file.lines.slice(startLine - 1, endLine)) {
    length += line.length + 1;
    if (length > maxTokens * 4) break;
    lines.push(line);
  }
  return lines.join("\n");
}

interface TextContext extends Pick<QueryContext, "texts"> {
  readonly reader: Pick<IndexReader, "file">;
}

/** Returns the current text of a file; undefined when it no longer exists or is empty. */
export type TextOf = (file: FileFacts) => Promise<CurrentText | undefined>;

/** Reads each file once. */
export function currentTexts(context: TextContext): TextOf {
  const files = new Map<string, Promise<CurrentText | undefined>>();
  return (file) => {
    const known = files.get(file.path) ?? currentText(context, file);
    files.set(file.path, known);
    return known;
  };
}

/** The current positions of the results. Leaves out files that no longer exist. */
export async function placesOf(
  textOf: TextOf,
  results: readonly FoundChunk[],
): Promise<readonly PassagePlace[]> {
  const places: PassagePlace[] = [];
  for (const found of results) {
    // eslint-disable-next-line no-await-in-loop -- the index answers from memory
    const file = await textOf(found.file);
    if (file === undefined) continue;
    // eslint-disable-next-line no-await-in-loop -- as above
    places.push({ found, file, chunks: [await chunkIn(file, found)] });
  }
  return places;
}

/** Undefined when the file no longer exists or is empty. */
async function currentText(
  { reader, texts }: TextContext,
  { path, language }: FileFacts,
): Promise<CurrentText | undefined> {
  const known = await reader.file(path);
  const current = await textIfReadable(texts, path, known);
  if (current === undefined || current.lines.length === 0) return undefined;
  return {
    current,
    lines: current.lines,
    isProse:
      isProse(language) || isProseDocument(language) || language === "text" || language === "",
    fences: readFences(current.lines),
    changed: known === undefined || current.isChanged,
  };
}

async function chunkIn(
  { current, changed }: CurrentText,
  { file, chunk }: FoundChunk,
): Promise<PassagePlace["chunks"][number]> {
  const { startLine, endLine } = changed ? await relocateChunk(chunk, file, current) : chunk;
  return { startLine, endLine, symbol: shownSymbol(chunk, file) };
}

function passageOf(
  place: PassagePlace,
  text: string,
  { ofResult }: Pick<Confidence, "ofResult">,
): Passage {
  const { file, chunk, score, signals, matches, copies, translations } = place.found;
  const span = spanOf(place);
  return {
    path: file.path,
    ...span,
    place: documentPlaceOf(place),
    bestLine: place.chunks[0]?.startLine ?? span.startLine,
    language: file.language,
    kind: file.role,
    symbol: shownSymbol(chunk, file),
    score: Math.round(score * 1000) / 1000,
    confidence: toHundredths(ofResult(score)),
    signals,
    matches,
    text,
    changed: place.file.changed,
    copies,
    translations,
  };
}
