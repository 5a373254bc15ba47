// The documentation of a piece of code: prose that names its file, its path or what it defines.

import type { IndexReader } from "../../index/backend.ts";
import { findMentions, type Mentions } from "./find-related-mentions.ts";
import type { RelatedItem } from "../engine.ts";
import {
  folderOf,
  stemOf,
  type RelatedSight,
  type Subject,
  type TellingName,
} from "./find-related-subject.ts";

/** What the path, the name of the file, and the file without its extension weigh as names. */
const PATH = 1;
const FILE = 0.7;
const STEM = 0.4;
/** What they count where a symbol is asked about: the path tells where it is, and little more. */
const OF_SYMBOL = 0.3;
/** What is private, prose does not mean. */
const LEAST_NAME = 0.15;
const MOST_NAMES = 6;
/** What a further name, and a further place, add of what is missing to certainty. */
const MORE_NAMES = 0.15;
const MORE_PLACES = 0.05;
/** Names everything there ever was. */
const HISTORY =
  /(?:^|\/)(?:change(?:s|log)|history|news|release[-_ ]?notes|whatsnew)[^/]*$|(?:^|\/)(?:release-notes|whatsnew|changelogs?)\//i;
const OF_HISTORY = 0.3;
/** A readme beside the file is about it, whether it names it or not. */
const README = 0.35;
const LEAST = 0.08;

/** At most `limit`, those that are most about it first. */
export async function docsOf(
  sight: RelatedSight,
  subject: Subject,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const telling = subject.names.filter(({ weight }) => weight >= LEAST_NAME).slice(0, MOST_NAMES);
  const names = [...fileNames(subject.path, subject.isFile ? 1 : OF_SYMBOL), ...telling];
  const without = new Set([subject.path]);
  const mentions = await findMentions(sight, { without, names, role: "docs" });
  const found = new Map(mentions.map((one) => [one.path, itemOf(one)]));
  for (const path of await readmesBeside(sight.reader, subject)) {
    const known = found.get(path);
    const why = ["lies beside it"];
    found.set(
      path,
      known === undefined
        ? { path, startLine: 1, endLine: 1, symbol: "", why, score: README }
        : { ...known, why: [...known.why, ...why], score: known.score + README },
    );
  }
  return bestOf(sight.reader, found.values(), limit);
}

/** The documentation that names any of the names, at most `limit`. */
export async function docsNaming(
  sight: Pick<RelatedSight, "reader" | "sources">,
  { names, without }: { names: readonly TellingName[]; without: ReadonlySet<string> },
  limit: number,
): Promise<readonly RelatedItem[]> {
  const mentions = await findMentions(sight, { without, names, role: "docs" });
  return bestOf(sight.reader, mentions.map(itemOf), limit);
}

function bestOf(
  reader: Pick<IndexReader, "symbolsOf">,
  items: Iterable<RelatedItem>,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const best = [...items]
    .filter(({ score }) => score >= LEAST)
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .slice(0, limit);
  return Promise.all(best.map((item) => withSection(reader, item)));
}

/** How prose calls a file; `share`: how much its names count. */
export function fileNames(path: string, share: number): readonly TellingName[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = stemOf(path);
  const parts = new Map([[path, PATH]]);
  if (path !== name) parts.set(name, FILE);
  // A stem of one ordinary word means itself in most places.
  if (stem !== name && /[-_.\d]|[a-z][A-Z]/.test(stem)) parts.set(stem, STEM);
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
    (1 + MORE_NAMES * Math.log2(names.length) + MORE_PLACES * Math.log2(count)) *
    (HISTORY.test(path) ? OF_HISTORY : 1);
  return {
    path,
    startLine: best.line,
    endLine: best.line,
    symbol: "",
    why: [`names ${best.name.name}${more}${how === "" ? "" : ` (${how})`}`],
    score,
  };
}

async function readmesBeside(
  reader: Pick<IndexReader, "fileTree">,
  { path }: Subject,
): Promise<readonly string[]> {
  const folder = folderOf(path);
  // That of the whole project is beside many files, and about few.
  if (folder === "") return [];
  const names = (await reader.fileTree()).filesIn(folder);
  return names
    .filter((name) => /^readme(?:\.|$)/i.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((one) => one !== path);
}

/** With the section that the place is in. */
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
