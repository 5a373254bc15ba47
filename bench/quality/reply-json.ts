// Reads the files that a JSON value names: the array, at any depth, with the most elements that name one. It knows the
// field names that search tools use.
import type { CorpusPaths } from "./corpus-paths.ts";
import type { Mention } from "./reply-text.ts";

type Place = Pick<Mention, "path" | "start" | "end">;
type Fields = Readonly<Record<string, unknown>>;

const PATH_FIELDS =
  "path file file_path filePath filepath relative_path relativePath rel_path relpath filename fileName uri source location document doc id docid name title".split(
    " ",
  );
const START_FIELDS =
  "start_line startLine line_start lineStart start line line_number lineNumber from_line fromLine".split(
    " ",
  );
const END_FIELDS = "end_line endLine line_end lineEnd end to_line toLine".split(" ");
const MAX_PATH_DEPTH = 3;
const MAX_LINE_DEPTH = 2;
const MAX_ARRAY_DEPTH = 5;

/** The files that a value names, in order. Offsets refer to the elements as compact JSON. */
export function mentionsInJson(value: unknown, paths: CorpusPaths): readonly Mention[] {
  const array = bestArray(value, paths);
  if (array === undefined) {
    const place = placeIn(value, paths);
    return place === undefined ? [] : [{ ...place, from: 0, to: JSON.stringify(value).length }];
  }
  let offset = 0;
  return array.flatMap((element) => {
    const from = offset;
    offset += JSON.stringify(element).length;
    const place = placeIn(element, paths);
    if (place === undefined) return [];
    const start = place.start ?? numberIn(element, START_FIELDS);
    const end = place.end ?? numberIn(element, END_FIELDS) ?? start;
    return [{ path: place.path, start, end, from, to: offset }];
  });
}

/** The first of several with equally many. */
function bestArray(value: unknown, paths: CorpusPaths): readonly unknown[] | undefined {
  let best: readonly unknown[] | undefined;
  let most = 0;
  const visit = (inner: unknown, depth: number): void => {
    if (typeof inner !== "object" || inner === null || depth > MAX_ARRAY_DEPTH) return;
    if (Array.isArray(inner)) {
      const count = inner.filter((element) => placeIn(element, paths) !== undefined).length;
      if (count > most) {
        best = inner;
        most = count;
      }
    }
    for (const child of Object.values(inner)) visit(child, depth + 1);
  };
  visit(value, 0);
  return best;
}

function placeIn(value: unknown, paths: CorpusPaths, depth = 0): Place | undefined {
  if (depth > MAX_PATH_DEPTH) return undefined;
  if (typeof value === "string") return placeInString(value, paths);
  if (!isFields(value)) return undefined;
  const named = PATH_FIELDS.filter((field) => field in value).map((field) => value[field]);
  for (const child of [...named, ...Object.values(value).filter(isFields)]) {
    const place = placeIn(child, paths, depth + 1);
    if (place !== undefined) return place;
  }
  return undefined;
}

function placeInString(text: string, paths: CorpusPaths): Place | undefined {
  const whole = paths.find(text);
  if (whole !== undefined) return { path: whole };
  const match = /^(?<before>.*?)[:#]L?(?<start>\d+)(?:[-:]L?(?<end>\d+))?$/.exec(text);
  const { before = "", start, end = start } = match?.groups ?? {};
  const path = paths.find(before);
  return path === undefined ? undefined : { path, start: Number(start), end: Number(end) };
}

function numberIn(value: unknown, fields: readonly string[], depth = 0): number | undefined {
  if (!isFields(value) || depth > MAX_LINE_DEPTH) return undefined;
  for (const field of fields) {
    const number = value[field];
    if (typeof number === "number") return number;
    if (typeof number === "string" && /^\d+$/.test(number)) return Number(number);
  }
  for (const child of Object.values(value)) {
    const number = numberIn(child, fields, depth + 1);
    if (number !== undefined) return number;
  }
  return undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
