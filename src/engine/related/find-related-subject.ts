import { SvcError } from "../../base/errors.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { Role } from "../../index/segment/format.ts";
import type { SymbolFacts } from "../../index/segment/outline.ts";
import { languageOf, fileRole } from "../../scan/classify.ts";
import type { QueryEmbedder } from "../../search/query-embedder.ts";
import type { GitHistoryCache } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry.ts";
import { readMasked } from "../files/current-text.ts";
import {
  isWholeFile,
  pathNotFound,
  requireNotSecret,
  type ResolvedTarget,
} from "../symbols/resolve-target.ts";

/** What relations are looked for in. */
export interface RelatedContext {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly tokenizer: Tokenizer;
  readonly embedder: QueryEmbedder;
  readonly graph: () => Promise<Pick<ReferenceGraph, "importersOf">>;
  readonly histories: Pick<GitHistoryCache, "of">;
}

/** What is asked about, as it is now. */
export interface Subject {
  readonly target: ResolvedTarget;
  readonly path: string;
  /** 1-based, inclusive, within the file. */
  readonly startLine: number;
  readonly endLine: number;
  readonly isFile: boolean;
  readonly lines: readonly string[];
  readonly role: Role;
  readonly language: string;
  /** Its telling names, the more telling first. */
  readonly names: readonly DistinctiveName[];
}

/** A name that what is asked about defines. */
export interface DistinctiveName {
  readonly name: string;
  /** 1 for one that few files use, less the more there are: it tells less of each. */
  readonly weight: number;
  /** Files that use the name, whatever they mean by it. */
  readonly users: number;
  /** True for what is defined in something else, so that the name alone does not say whose it is. */
  readonly isMember: boolean;
}

/** Names that stand for a file or a type. */
const MAX_NAMES = 12;
/** Shorter ones are letters, and words like `id`. */
const MIN_NAME_LENGTH = 3;
/** Used by so many files more, a name tells half as much. */
const MIN_COMMON_USERS = 16;
/** What a name weighs that can be used within its file or class alone. */
const PRIVATE_WEIGHT = 0.2;
/** What a name of what is around the subject weighs beside its own. */
const ENCLOSING_WEIGHT = 0.5;
/** A symbol that needs another around it to be used. */
const MEMBER_WEIGHT = 0.6;

/** Throws PATH_NOT_FOUND where the file is gone, is not shown, or has no such lines. */
export async function subjectOf(context: RelatedContext, target: ResolvedTarget): Promise<Subject> {
  const { path } = target;
  requireNotSecret(context.sources, path);
  const file = readMasked(context.sources, path);
  if (file === undefined) throw await pathNotFound(context.reader, path);
  const { lines } = file;
  if (target.startLine > Math.max(1, lines.length)) {
    throw new SvcError(
      "PATH_NOT_FOUND",
      `${path} has ${lines.length} lines; line ${target.startLine} is behind its end.`,
    );
  }
  const endLine = Math.min(target.endLine, lines.length);
  const row = await context.reader.file(path);
  const language = row?.language ?? languageOf(path) ?? "";
  return {
    target,
    path,
    startLine: target.startLine,
    endLine,
    isFile: isWholeFile(target),
    lines: lines.slice(target.startLine - 1, endLine),
    role: row?.role ?? fileRole(path, languageOf(path)),
    language,
    names: await namesOf(context.reader, target),
  };
}

/** What a name tells that so many files use, from 1 downwards. */
export function rarityOf(users: number): number {
  return 1 / (1 + Math.log2(1 + users / MIN_COMMON_USERS));
}

/** The names defined in the target, and of one that is a member those of what is around it. */
async function namesOf(
  reader: Pick<IndexReader, "symbolsOf" | "usingFiles">,
  { path, startLine, endLine, symbol }: ResolvedTarget,
): Promise<readonly DistinctiveName[]> {
  const symbols = (await reader.symbolsOf(path)).filter(({ kind }) => kind !== "section");
  const inside = symbols.filter((one) => one.startLine >= startLine && one.endLine <= endLine);
  const around = symbols.filter((one) => one.startLine <= startLine && one.endLine >= endLine);
  const wanted = new Map<string, { readonly weight: number; readonly isMember: boolean }>();
  const add = ({ name, qualifiedName }: SymbolFacts, weight: number): void => {
    if (name.length < MIN_NAME_LENGTH || weight <= (wanted.get(name)?.weight ?? 0)) return;
    wanted.set(name, { weight, isMember: qualifiedName !== name });
  };
  // Lines within one definition stand for it.
  const [innermost] = inside.length === 0 ? around.slice(-1) : [];
  for (const one of innermost === undefined ? inside : [innermost]) {
    const isSubject = one === innermost || one.qualifiedName === symbol;
    const access = one.access === "private" ? PRIVATE_WEIGHT : 1;
    add(one, isSubject ? 1 : access * (one.qualifiedName === one.name ? 1 : MEMBER_WEIGHT));
  }
  for (const one of around)
    if (!inside.includes(one) && one !== innermost) add(one, ENCLOSING_WEIGHT);
  const distinctive: DistinctiveName[] = [];
  const likely = [...wanted]
    .toSorted(([, one], [, other]) => other.weight - one.weight)
    .slice(0, MAX_NAMES * 2);
  for (const [name, { weight, isMember }] of likely) {
    // oxlint-disable-next-line no-await-in-loop -- each a look into memory
    const users = await reader.usingFiles(name);
    distinctive.push({ name, users, isMember, weight: weight * rarityOf(users) });
  }
  return distinctive.toSorted((one, other) => other.weight - one.weight).slice(0, MAX_NAMES);
}
