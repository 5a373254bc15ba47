import { counted } from "../../base/amounts.ts";
import { SvcError } from "../../base/errors.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import type { IndexReader } from "../../index/port.ts";
import type { Role, SymbolFacts } from "../../index/types.ts";
import { languageOf, fileRole } from "../../scan/classify.ts";
import type { QueryEmbedder } from "../../search/query-embedder.ts";
import type { GitHistoryCache } from "../../sources/git-history.ts";
import type { QueryContext } from "../query-context.ts";
import { requireText } from "../files/current-file.ts";
import {
  isWholeFile,
  pathNotFound,
  requireNotSecret,
  type ResolvedTarget,
} from "../symbols/resolve-target.ts";
import { withoutSharedNamespaces } from "../impact/shared-namespaces.ts";

/** The index, the sources and the models that the searches use. */
export interface RelatedContext extends QueryContext {
  readonly tokenizer: Tokenizer;
  readonly embedder: QueryEmbedder;
  readonly graph: () => Promise<Pick<ReferenceGraph, "importersOf">>;
  readonly histories: Pick<GitHistoryCache, "of">;
}

/** The target of the request, with its current text. */
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
  /** Its distinctive names, the highest weight first. */
  readonly names: readonly DistinctiveName[];
}

/** A name that the subject defines. */
export interface DistinctiveName {
  readonly name: string;
  /** Up to 1; lower the more files use the name. */
  readonly weight: number;
  /** Number of files that use any symbol of this name. */
  readonly users: number;
  /** True for a member of another symbol, whose bare name is ambiguous. */
  readonly isMember: boolean;
}

/** Maximum names of a subject. */
const MAX_NAMES = 12;
/** Excludes single letters and names like `id`. */
const MIN_NAME_LENGTH = 3;
/** With this many users, the weight of a name is halved. */
const MIN_COMMON_USERS = 16;
/** Weight of a name that is only visible in its file or class. */
const PRIVATE_WEIGHT = 0.2;
/** Weight of the names of enclosing definitions; the subject's own has 1. */
const ENCLOSING_WEIGHT = 0.5;
/** Weight of a member, which is used through another symbol. */
const MEMBER_WEIGHT = 0.6;

/** Throws PATH_NOT_FOUND when the file does not exist, holds secrets, or does not have these lines. */
export async function subjectOf(context: RelatedContext, target: ResolvedTarget): Promise<Subject> {
  const { path } = target;
  requireNotSecret(context.sources, path);
  const file = await requireText(context.texts, path);
  if (file === undefined) throw await pathNotFound(context.reader, path);
  const { lines } = file;
  if (target.startLine > Math.max(1, lines.length)) {
    throw new SvcError(
      "PATH_NOT_FOUND",
      `${path} has ${counted(lines.length, "line")}; line ${target.startLine} is after its end.`,
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

/** Weight of a name by the number of files that use it, from 1 downwards. */
export function rarityOf(users: number): number {
  return 1 / (1 + Math.log2(1 + users / MIN_COMMON_USERS));
}

/** The names defined in the target, and the names of its enclosing definitions. */
async function namesOf(
  reader: Pick<IndexReader, "symbolsOf" | "symbolsNamed" | "usingFiles">,
  { path, startLine, endLine, symbol }: ResolvedTarget,
): Promise<readonly DistinctiveName[]> {
  const all = (await reader.symbolsOf(path)).filter(({ kind }) => kind !== "section");
  // To use a namespace that many files open is not to use this file.
  const own = new Set(await withoutSharedNamespaces(reader, path, { changed: all, all }));
  const symbols = all.filter((one) => own.has(one) || one.qualifiedName === symbol);
  const inside = symbols.filter((one) => one.startLine >= startLine && one.endLine <= endLine);
  const around = symbols.filter((one) => one.startLine <= startLine && one.endLine >= endLine);
  const wanted = new Map<string, { readonly weight: number; readonly isMember: boolean }>();
  const add = ({ name, qualifiedName }: SymbolFacts, weight: number): void => {
    if (name.length < MIN_NAME_LENGTH || weight <= (wanted.get(name)?.weight ?? 0)) return;
    wanted.set(name, { weight, isMember: qualifiedName !== name });
  };
  // For lines inside one definition, use that definition.
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
    // oxlint-disable-next-line no-await-in-loop -- each reads memory only
    const users = await reader.usingFiles(name);
    distinctive.push({ name, users, isMember, weight: weight * rarityOf(users) });
  }
  return distinctive.toSorted((one, other) => other.weight - one.weight).slice(0, MAX_NAMES);
}
