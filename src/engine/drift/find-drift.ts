// Finds outdated documentation: names on a page that a commit removed from the code after the page was written.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { SvcError } from "../../base/errors.ts";
import { Yielder } from "../../base/yielder.ts";
import { isProse } from "../../chunk/prose.ts";
import type { OpenCommitStorage } from "../../index/commits/port.ts";
import { versionText } from "./outdated-notes.ts";
import { saveOutdated, type OutdatedStatement } from "../../index/commits/outdated-store.ts";
import type { Removal } from "../../index/commits/removal-store.ts";
import { ALL } from "../../index/literal-query.ts";
import type { FileTree } from "../../index/port.ts";
import { FileFlag, type FileFacts } from "../../index/types.ts";
import { readCommits, type Commit } from "../../sources/commit-objects.ts";
import { readBlobs } from "../../sources/git-blobs.ts";
import { openHistory, pathOfRepository, pathOfSource } from "../../sources/open-history.ts";
import { withGit, type Git } from "../../sources/run-git.ts";
import { requireRoot } from "../../sources/source-root.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { DriftItem, DriftRequest, DriftResult } from "../api/drift.ts";
import { pathFilter } from "../files/file-filter.ts";
import type { ReadDependencies } from "../middleware/read-dependencies.ts";
import type { OpenIndexes } from "../open-indexes.ts";
import type { QueryContext } from "../query-context.ts";
import { innermostAt } from "../symbols/innermost-symbol.ts";
import { codeWords, defines, importsName, isDistinctive } from "./code-names.ts";
import { CurrentNames, spellingsOfFlag, spellingsOfName } from "./current-names.ts";
import { changedPages, type DriftRenewal, type Past } from "./changed-pages.ts";
import { claimsIn, type Claim } from "./doc-claims.ts";
import { wasDocumented, wordsInCode } from "./grep-commit.ts";
import { isPastPath } from "./past.ts";
import { readRemovals } from "./removal-reader.ts";
import { sinceFilter } from "./since-filter.ts";

/** What is asked, without who asks. */
type DriftLimits = Omit<DriftRequest, "principal" | "namespace" | "deadline">;

export interface DriftContext extends QueryContext {
  readonly namespace: AuthorizedNamespace;
  readonly parts: {
    readonly backend: { readonly commits: OpenCommitStorage };
    readonly indexes: Pick<OpenIndexes, "anyReader">;
  };
  readonly dependencies: ReadDependencies;
}

const MAX_PAGES = 20_000;
/** Each takes some milliseconds of git. Further ones are reported as missing. */
const MAX_CHECKED_KEYS = 2000;
const MAX_OLD_FILE_BYTES = 1 << 20;
/** Lines around a statement whose names are about the same thing. */
const NEAR_LINES = 15;
const COMMIT_LIMITS = { timeoutMs: 10_000, maxBytes: 24 << 20 };
/** Renames that are followed from one name to the current one. */
const MAX_RENAMES = 5;

/** A statement whose subject a commit removed. */
interface Candidate {
  readonly page: string;
  readonly claim: Claim;
  readonly removal: Removal;
  /** Other names around it. */
  readonly near: readonly string[];
}

/** A statement that no longer fits. */
interface Found {
  readonly item: DriftItem;
  /** Whether it needed no other name of the same file to be believed. */
  readonly isSure: boolean;
  /** Words that code with this name would contain. */
  readonly words: readonly string[];
}

/** Throws INVALID_PARAMS if no source has a usable repository, or `since` is none of its commits, and TIMEOUT. */
export async function findDrift(
  query: DriftContext,
  request: DriftLimits,
  renewal?: DriftRenewal,
): Promise<DriftResult> {
  const { namespace, dependencies, parts } = query;
  // Reading commits may take longer than the reader of a query lasts.
  const reader = await parts.indexes.anyReader(namespace);
  const context: DriftContext = { ...query, reader };
  const { limit } = request;
  // It reads more files than can be checked.
  dependencies.markUncacheable();
  const partial: string[] = [];
  const readMs = Date.now();
  const pasts = await openPasts(context, { ...request, ...renewal }, partial);
  let pages = await pagesOf(context, request, partial);
  if (renewal !== undefined) {
    const { signal } = request;
    // If something is missing, nothing is stored.
    pages = partial.length > 0 ? [] : await changedPages(reader, renewal, { pages, pasts, signal });
  }
  const tree = await reader.fileTree();
  const { candidates, statements } = await candidatesOn(pages, context, {
    pasts,
    tree,
    request,
    renewal,
  });
  const found: Found[] = [];
  const names = new CurrentNames(reader, context.texts);
  for (const [past, list] of candidates) {
    const check = new Check({ context, past, tree, names, request, partial, renewal });
    // oxlint-disable-next-line no-await-in-loop -- few sources
    found.push(...(await check.run(list)));
  }
  if (isAboutAll(request) && partial.length === 0 && reader.partial.length === 0)
    await storeOutdated(context, found, { pasts, readMs });
  return {
    namespace,
    generation: reader.version.at,
    statements: found.slice(0, limit).map(({ item }) => item),
    hasMore: found.length > limit,
    checked: { pages: pages.length, statements },
    partial: [...new Set([...partial, ...reader.partial])],
  };
}

interface CandidateOptions extends Pick<CheckParts, "tree" | "request" | "renewal"> {
  readonly pasts: readonly Past[];
}

/** Counts what pages state, and returns what commits removed of it, by source. */
async function candidatesOn(
  pages: readonly FileFacts[],
  { sources, texts }: DriftContext,
  { pasts, tree, request, renewal }: CandidateOptions,
): Promise<{
  readonly candidates: ReadonlyMap<Past, readonly Candidate[]>;
  readonly statements: number;
}> {
  const candidates = new Map<Past, Candidate[]>();
  let statements = 0;
  const yielder = renewal?.yielder ?? new Yielder();
  for (const { path, language } of pages) {
    // oxlint-disable-next-line no-await-in-loop -- other calls get a turn between two pages
    await yielder.yieldIfDue();
    throwIfAborted(request.signal);
    // oxlint-disable-next-line no-await-in-loop -- a page at a time
    const text = await texts.read(path);
    const place = sourceOfPath(sources, path);
    const past = pasts.find(({ source }) => source === place?.source);
    if ("problem" in text || place === undefined || past === undefined) continue;
    const claims = claimsIn(text.text, language, place.relative);
    statements += claims.length;
    const list = candidates.get(past) ?? [];
    candidates.set(past, list);
    const { prefix } = place.source;
    const hasOwnPath = claims.some(({ kind, key }) => kind === "path" && tree.has(prefix + key));
    for (const claim of claims) {
      const removal = removalOf(claim, past);
      if (removal === undefined || removal.certainty === "moved") continue;
      // Only certain findings become notes.
      if (renewal !== undefined && isUnsure(claim, removal)) continue;
      if (!hasOwnPath && isOfAnyProject(claim)) continue;
      list.push({ page: path, claim, removal, near: namesNear(claims, claim) });
    }
  }
  return { candidates, statements };
}

/** Whether the answer has all statements of a namespace. */
function isAboutAll({ since, path, within }: DriftLimits): boolean {
  return since === undefined && path === undefined && within === undefined;
}

/** Stores what is sure enough to be noted on results. */
async function storeOutdated(
  { namespace, reader, parts: { backend } }: DriftContext,
  found: readonly Found[],
  { pasts, readMs }: { readonly pasts: readonly Past[]; readonly readMs: number },
): Promise<void> {
  const statements: OutdatedStatement[] = [];
  for (const { item, isSure, words } of found) {
    if (!isSure) continue;
    const { path, line, name, became, removed } = item;
    // oxlint-disable-next-line no-await-in-loop -- few pages
    const hash = (await reader.file(path))?.hash ?? "";
    const { commit, authoredAt } = removed;
    statements.push({ path, hash, line, name, became, commit, authoredAt, words });
  }
  const heads = Object.fromEntries(pasts.map(({ source, history }) => [source.root, history.head]));
  const index = versionText(reader);
  saveOutdated(backend.commits, namespace, { index, heads, readMs, statements });
}

/** The histories of the sources that have one. Throws the error of the first, if none has. */
async function openPasts(
  { namespace, sources, parts }: DriftContext,
  { signal, waitMs: maxMs, onProgress, maxNew, yielder }: DriftLimits & Partial<DriftRenewal>,
  partial: string[],
): Promise<readonly Past[]> {
  const pasts: Past[] = [];
  let problem: SvcError | undefined;
  for (const source of sources) {
    try {
      requireRoot(source);
      // oxlint-disable-next-line no-await-in-loop -- few sources
      const history = await openHistory(source, signal);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { byKey, problem: missing } = await readRemovals(
        parts.backend.commits,
        { namespace, source, history },
        { signal, maxMs, onProgress, maxNew, yielder },
      );
      if (missing !== undefined) partial.push(missing);
      pasts.push({ source, history, byKey });
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code === "TIMEOUT") throw thrown;
      problem ??= thrown;
      partial.push(thrown.message);
    }
  }
  if (pasts.length === 0 && problem !== undefined) throw problem;
  return pasts;
}

/** The pages to check, in path order. */
async function pagesOf(
  { reader }: DriftContext,
  request: DriftLimits,
  partial: string[],
): Promise<readonly FileFacts[]> {
  const matches = pathFilter(request);
  const filter = ({ path, language, role, flags }: FileFacts): boolean =>
    role === "docs" &&
    isProse(language) &&
    (flags & (FileFlag.vendored | FileFlag.generated)) === 0 &&
    !isPastPath(path) &&
    (matches === undefined || matches(path));
  const pages: FileFacts[] = [];
  for await (const page of reader.textCandidates(ALL, { filter })) {
    if (pages.length >= MAX_PAGES) {
      partial.push(`Only the first ${MAX_PAGES} pages were checked; limit them with a path.`);
      break;
    }
    pages.push(page);
  }
  return pages;
}

/** Folders that most projects have: a page may mean the project of its reader. */
const USUAL_FOLDER =
  /^(?:src|libs?|config|conf|app|apps|tests?|specs?|public|assets|static|templates|bin|scripts|pages|components|views|models|controllers|priv|web|db|cmd|internal|pkg|packages|examples?)\//;

function isOfAnyProject({ kind, key, isLink }: Claim): boolean {
  return kind === "path" && isLink !== true && USUAL_FOLDER.test(key);
}

/** Distinctive names on the lines around a statement, without its own. */
function namesNear(claims: readonly Claim[], { key, line }: Claim): readonly string[] {
  const near = claims.filter(
    (other) =>
      other.kind === "name" &&
      other.key !== key &&
      Math.abs(other.line - line) <= NEAR_LINES &&
      isDistinctive(other.key),
  );
  return [...new Set(near.map((other) => other.key))];
}

/** Whether a file may be in the module that the page imports the name from. */
function isOfModule({ module }: Claim, { path }: Removal): boolean {
  const [root = ""] = module?.split(".") ?? [];
  return root === "" || path.split("/").some((part) => part.replace(/\.\w+$/, "") === root);
}

function keyOf({ kind, key }: Claim, { history }: Past): string {
  if (kind === "name") return key;
  return kind === "flag" ? `--${key}` : `/${pathOfRepository(history, key)}`;
}

function removalOf(claim: Claim, past: Past): Removal | undefined {
  const { byKey } = past;
  const removal = byKey.get(keyOf(claim, past));
  if (removal !== undefined || claim.kind !== "flag" || !claim.key.includes("-")) return removal;
  // A field that is the flag: `max_depth` of a parser that is derived from a type.
  return spellingsOfFlag(claim.key).flatMap((name) => byKey.get(name) ?? [])[0];
}

interface CheckParts {
  readonly context: DriftContext;
  readonly past: Past;
  readonly tree: FileTree;
  readonly names: CurrentNames;
  readonly request: DriftLimits;
  readonly partial: string[];
  readonly renewal: DriftRenewal | undefined;
}

/** Checks the candidates of one source. */
class Check {
  readonly #parts: CheckParts;
  readonly #verdicts = new Map<string, boolean>();
  #oldFile: { readonly key: string; readonly text: string } | undefined;

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  async run(candidates: readonly Candidate[]): Promise<readonly Found[]> {
    const { context, past, request, partial } = this.#parts;
    const { signal, since } = request;
    return withGit(past.history.repository, async (git) => {
      const isSince = await sinceFilter(git, past, { since, signal });
      const gone: Candidate[] = [];
      for (const candidate of candidates) {
        throwIfAborted(signal);
        // oxlint-disable-next-line no-await-in-loop -- most are decided by the first question
        if (await this.#isGone(git, candidate)) gone.push(candidate);
      }
      const words = [...new Set(gone.flatMap(({ claim }) => wordsFor(claim)))];
      const inCode = await wordsInCode(git, { commit: past.history.head, words }, signal);
      const left = gone.filter(({ claim }) => !wordsFor(claim).some((word) => inCode.has(word)));
      if (this.#verdicts.size >= MAX_CHECKED_KEYS)
        partial.push(
          `Only ${MAX_CHECKED_KEYS} removed names were checked; limit them with a path.`,
        );
      const ids = [...new Set(left.map(({ removal }) => removal.commit))];
      const commits = await readCommits(git, ids, { ...COMMIT_LIMITS, signal });
      const items: Found[] = [];
      for (const { page, claim, removal } of left) {
        const commit = commits.get(removal.commit);
        if (commit === undefined || !isSince(commit)) continue;
        // oxlint-disable-next-line no-await-in-loop -- few are left
        const symbols = await context.reader.symbolsOf(page);
        const sections = symbols.filter(({ kind }) => kind === "section");
        const section = innermostAt(sections, { startLine: claim.line })?.qualifiedName ?? "";
        // oxlint-disable-next-line no-await-in-loop -- as above
        const became = await this.#successor(claim, removal);
        const item = { ...this.#described(claim, removal, commit), path: page, section, became };
        items.push({ item, isSure: !isUnsure(claim, removal), words: wordsFor(claim) });
      }
      return items;
    });
  }

  /** Whether the code no longer has it, and a page named it while the code had it. */
  async #isGone(git: Git, candidate: Candidate): Promise<boolean> {
    const { page, claim, removal, near } = candidate;
    const { past, request } = this.#parts;
    const key = keyOf(claim, past);
    // A name that is less sure must be among others of the same file; so must a plain word, and one of an
    // example that does not say where it is from.
    const isAmong = async (): Promise<boolean> => {
      const words = codeWords(await this.#oldText(removal));
      return near.some((name) => words.has(name));
    };
    const isName = claim.kind === "name";
    if (isName && !isOfModule(claim, removal)) return false;
    if (isUnsure(claim, removal) && !(await isAmong())) return false;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    if (this.#verdicts.size >= MAX_CHECKED_KEYS) return false;
    const text = claim.kind === "path" ? claim.text : keyText(claim);
    const own = pathOfRepository(past.history, page.slice(past.source.prefix.length));
    const documented = { commit: removal.commit, text, page: own };
    const isGone =
      !(await this.#has(claim.kind, claim.key)) &&
      (this.#isKnown(claim, removal) ||
        ((await this.#wasDefined(claim, removal)) &&
          (await wasDocumented(git, documented, request.signal))));
    this.#verdicts.set(key, isGone);
    return isGone;
  }

  /** Whether the last answer has it: what is in the history stays so. */
  #isKnown(claim: Claim, { commit }: Removal): boolean {
    const statements = this.#parts.renewal?.stored.statements ?? [];
    return statements.some((one) => one.commit === commit && one.name === keyText(claim));
  }

  async #wasDefined({ kind, key }: Claim, removal: Removal): Promise<boolean> {
    if (kind === "path") return true;
    const text = await this.#oldText(removal);
    if (kind === "flag") return defines(text, [`--${key}`, ...spellingsOfFlag(key)]);
    return defines(text, [key]) && !importsName(text, key);
  }

  /** A file before the commit that removed something from it. */
  async #oldText({ commit, path }: Removal): Promise<string> {
    const key = `${commit} ${path}`;
    if (this.#oldFile?.key === key) return this.#oldFile.text;
    const { past, request } = this.#parts;
    const own = pathOfSource(past.history, path) ?? "";
    const limits = { signal: request.signal, maxBytes: MAX_OLD_FILE_BYTES };
    const blobs = await readBlobs(past.source, { commit: `${commit}^`, paths: [own] }, limits);
    const text = blobs.get(own)?.toString() ?? "";
    this.#oldFile = { key, text };
    return text;
  }

  async #has(kind: Claim["kind"], key: string): Promise<boolean> {
    const { names, tree, past } = this.#parts;
    if (kind !== "path") return names.has(wordsFor({ kind, key }));
    const path = past.source.prefix + key;
    return tree.has(path) || tree.filesIn(path).length + tree.foldersIn(path).length > 0;
  }

  /** What the thing is called now: "" if that is not known. */
  async #successor(claim: Claim, removal: Removal): Promise<string> {
    const { past } = this.#parts;
    const { kind } = claim;
    let { became } = removal;
    for (let renames = 0; became !== "" && renames < MAX_RENAMES; renames += 1) {
      const key = kind === "path" ? pathOfSource(past.history, became) : became.replace(/^--/, "");
      if (key === undefined) return "";
      // oxlint-disable-next-line no-await-in-loop -- one rename after the other
      if (await this.#has(kind, key)) return kind === "flag" ? `--${key}` : key;
      became = past.byKey.get(kind === "path" ? `/${became}` : became)?.became ?? "";
    }
    return "";
  }

  #described(
    claim: Claim,
    { commit: id, path }: Removal,
    { authoredAt, subject }: Commit,
  ): Omit<DriftItem, "path" | "section" | "became"> {
    const { source, history } = this.#parts.past;
    const own = pathOfSource(history, path);
    const removed = {
      commit: id,
      authoredAt,
      subject,
      path: own === undefined ? "" : source.prefix + own,
    };
    const { kind, line, text } = claim;
    return { kind, line, text, name: keyText(claim), removed };
  }
}

/** Whether it needs another name of the same file near it. */
function isUnsure({ kind, key, isExample, module }: Claim, { certainty }: Removal): boolean {
  if (certainty === "likely") return true;
  return kind === "name" && ((isExample && module === undefined) || !isDistinctive(key));
}

/** The words by which code has it; none for a path. */
function wordsFor({ kind, key }: Pick<Claim, "kind" | "key">): readonly string[] {
  if (kind === "path") return [];
  return kind === "flag" ? spellingsOfFlag(key) : spellingsOfName(key);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
}

function keyText({ kind, key }: Claim): string {
  return kind === "flag" ? `--${key}` : key;
}
