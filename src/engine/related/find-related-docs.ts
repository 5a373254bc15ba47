// Finds documentation of code: prose that names its path, its file or its symbols.

import type { IndexReader } from "../../index/port.ts";
import { findMentions, type Mentions } from "./find-related-mentions.ts";
import { folderOf, stemOf } from "../../graph/modules/paths.ts";
import type { RelatedItem } from "../api/related.ts";
import { type RelatedContext, type Subject, type DistinctiveName } from "./find-related-subject.ts";

/** Weights of a file's names: its path, its name, and its name without the extension. */
const PATH_SCORE = 1;
const FILE_NAME_SCORE = 0.7;
const STEM_SCORE = 0.4;
/** Factor of these weights when the target is a symbol: its path is weak evidence. */
const SYMBOL_SHARE = 0.3;
/** Excludes private names, which prose rarely mentions. */
const MIN_NAME_SCORE = 0.15;
const MAX_NAMES = 6;
/** Bonus per doubling of the number of names, and of the number of places. */
const EXTRA_NAME_SCORE = 0.15;
const EXTRA_PLACE_SCORE = 0.05;
/** Release notes and the like, which name everything. */
const HISTORY =
  /(?:^|\/)(?:change(?:s|log)|history|news|release[-_ ]?notes|whatsnew)[^/]*$|(?:^|\/)(?:release-notes|whatsnew|changelogs?)\//i;
const HISTORY_FACTOR = 0.3;
/** Score of a readme in the folder of the file, even when it does not name the file. */
const README_SCORE = 0.35;
const MIN_SCORE = 0.08;

/** Up to `limit` documents about the subject, the highest score first. */
export async function docsOf(
  context: RelatedContext,
  subject: Subject,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const distinctive = subject.names
    .filter(({ weight }) => weight >= MIN_NAME_SCORE)
    .slice(0, MAX_NAMES);
  const names = [...fileNames(subject.path, subject.isFile ? 1 : SYMBOL_SHARE), ...distinctive];
  const without = new Set([subject.path]);
  const mentions = await findMentions(context, { without, names, role: "docs" });
  const found = new Map(mentions.map((one) => [one.path, itemOf(one)]));
  for (const path of await siblingReadmes(context.reader, subject)) {
    const known = found.get(path);
    const why = ["in the same folder"];
    found.set(
      path,
      known === undefined
        ? { path, startLine: 1, endLine: 1, symbol: "", why, score: README_SCORE }
        : { ...known, why: [...known.why, ...why], score: known.score + README_SCORE },
    );
  }
  return bestOf(context.reader, found.values(), limit);
}

/** Up to `limit` documents that contain any of the names, the highest score first. */
export async function docsNaming(
  context: Pick<RelatedContext, "reader" | "texts">,
  { names, without }: { names: readonly DistinctiveName[]; without: ReadonlySet<string> },
  limit: number,
): Promise<readonly RelatedItem[]> {
  const mentions = await findMentions(context, { without, names, role: "docs" });
  return bestOf(context.reader, mentions.map(itemOf), limit);
}

function bestOf(
  reader: Pick<IndexReader, "symbolsOf">,
  items: Iterable<RelatedItem>,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const best = [...items]
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .slice(0, limit);
  return Promise.all(best.map((item) => withSection(reader, item)));
}

/** The names by which prose refers to a file. `share`: factor of their weights. */
export function fileNames(path: string, share: number): readonly DistinctiveName[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = stemOf(path);
  const parts = new Map([[path, PATH_SCORE]]);
  if (path !== name) parts.set(name, FILE_NAME_SCORE);
  // A stem of one ordinary word is mostly used as a word.
  if (stem !== name && /[-_.\d]|[a-z][A-Z]/.test(stem)) parts.set(stem, STEM_SCORE);
  return [...parts].map(([text, weight]) => ({
    name: text,
    weight: weight * share,
    users: 0,
    isMember: false,
  }));
}

function itemOf({ path, names, best, count }: Mentions): RelatedItem {
  const where = { heading: "in a heading", code: "as code", block: "in code", plain: "" }[
    best.form
  ];
  const times = count > 1 ? `${count} places` : "";
  const others = names.filter((one) => one !== best.name).slice(0, 3);
  const more = others.length > 0 ? `, ${others.map(({ name }) => name).join(", ")}` : "";
  const how = [where, times].filter((part) => part !== "").join(", ");
  const score =
    best.score *
    (1 + EXTRA_NAME_SCORE * Math.log2(names.length) + EXTRA_PLACE_SCORE * Math.log2(count)) *
    (HISTORY.test(path) ? HISTORY_FACTOR : 1);
  return {
    path,
    startLine: best.line,
    endLine: best.line,
    symbol: "",
    why: [`names ${best.name.name}${more}${how === "" ? "" : ` (${how})`}`],
    score,
  };
}

async function siblingReadmes(
  reader: Pick<IndexReader, "fileTree">,
  { path }: Subject,
): Promise<readonly string[]> {
  const folder = folderOf(path);
  // The readme of the project is in the folder of many files and about few of them.
  if (folder === "") return [];
  const names = (await reader.fileTree()).filesIn(folder);
  return names
    .filter((name) => /^readme(?:\.|$)/i.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((one) => one !== path);
}

/** The item with its enclosing section as symbol. */
async function withSection(
  reader: Pick<IndexReader, "symbolsOf">,
  item: RelatedItem,
): Promise<RelatedItem> {
  const sections = await reader.symbolsOf(item.path);
  const around = sections.findLast(
    ({ startLine, endLine }) => startLine <= item.startLine && endLine >= item.startLine,
  );
  return around === undefined ? item : { ...item, symbol: around.qualifiedName };
}
