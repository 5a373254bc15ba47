// The engine with paths as a shell has them: relative to the working directory, in requests and in answers.

import { namespaceListOf } from "../sources/namespace-list.ts";
import { UnknownPath } from "../sources/unknown-path.ts";
import type { ApiChangesResult } from "../engine/api/api-changes.ts";
import type { ChangeItem, ChangesResult } from "../engine/api/changes.ts";
import type { Engine } from "../engine/api/engine.ts";
import type { ImpactResult } from "../engine/api/impact.ts";
import type { OutlineResult } from "../engine/api/outline.ts";
import type { ReadResult } from "../engine/api/read.ts";
import type { ReferencesResult } from "../engine/api/references.ts";
import type { RelatedResult } from "../engine/api/related.ts";
import type { PathLimits } from "../engine/api/request.ts";
import type { WhyRequest, WhyResult } from "../engine/api/why.ts";
import type { ShellPaths } from "./shell-paths.ts";

interface ShellOptions {
  /** Returns the paths of the namespace of an answer; without one, those of the project. */
  readonly pathsOf: (namespace?: string) => Promise<ShellPaths>;
  /** Real path of the file or folder that queries are limited to; undefined for the whole project. */
  readonly within: string | undefined;
  /** Receives each file that an answer shows. */
  readonly onFile: (shown: string, file: string) => void;
}

/** `namespace`: that of the path in an answer of several. */
type Show = (path: string, namespace?: string) => string;

/** How the paths of one call are converted. */
interface Conversion<Request, Answer> {
  /** The parts of the request with paths. */
  readonly indexed: (paths: ShellPaths) => Partial<Request>;
  /** The parts of the answer with paths. */
  readonly shown: (answer: Answer, show: Show) => object;
}

/** Returns an engine whose queries have paths of the shell. Other calls are those of `engine`. */
export function engineAtShell(engine: Engine, options: ShellOptions): Engine {
  const calls = new ShellCalls(options);
  return { ...engine, ...limitedCalls(engine, calls), ...targetCalls(engine, calls) };
}

class ShellCalls {
  readonly #options: ShellOptions;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** Sends a request with the paths of the index, and shows those of its answer or error. */
  async ask<Request extends object, Answer extends { readonly namespace: string }>(
    call: (request: Request) => Promise<Answer>,
    request: Request,
    { indexed, shown }: Conversion<Request, NoInfer<Answer>>,
  ): Promise<Answer> {
    const { pathsOf } = this.#options;
    const paths = await pathsOf(namespaceOf(request));
    let answer: Answer;
    try {
      answer = await call({ ...request, ...indexed(paths) });
    } catch (thrown) {
      if (!(thrown instanceof UnknownPath)) throw thrown;
      throw shownError(thrown, Object.values(request), (path) => paths.shown(path));
    }
    const own = await pathsOf(answer.namespace);
    const others = new Map<string, ShellPaths>();
    // oxlint-disable-next-line no-await-in-loop -- the registry is read once
    for (const name of namespacesIn(answer)) others.set(name, await pathsOf(name));
    const show = this.#showerOf((name) => (name === undefined ? own : (others.get(name) ?? own)));
    return { ...answer, ...shown(answer, show) };
  }

  /** The limits of a request, and the file or folder that all are limited to. */
  limits({ path }: PathLimits, paths: ShellPaths): PathLimits {
    const { within } = this.#options;
    const indexed = within === undefined ? "" : paths.indexed(within);
    const glob =
      path === undefined || typeof path === "string"
        ? paths.glob(path)
        : path.flatMap((one) => paths.glob(one) ?? []);
    return { path: glob, within: indexed === "" ? undefined : indexed };
  }

  #showerOf(pathsOf: (namespace: string | undefined) => ShellPaths): Show {
    return (path, namespace) => {
      const paths = pathsOf(namespace);
      const shown = paths.shown(path);
      const file = paths.fileOf(path);
      if (file !== undefined) this.#options.onFile(shown, file);
      return shown;
    };
  }
}

/** Calls whose answers are limited to some files. */
function limitedCalls(
  engine: Engine,
  calls: ShellCalls,
): Pick<Engine, "search" | "searchText" | "findSymbols" | "references" | "changes" | "apiChanges"> {
  return {
    search: (request) =>
      calls.ask(engine.search, request, {
        indexed: (paths) => calls.limits(request, paths),
        shown: ({ passages }, show) => ({ passages: passages.map((one) => located(one, show)) }),
      }),
    searchText: (request) =>
      calls.ask(engine.searchText, request, {
        indexed: (paths) => calls.limits(request, paths),
        shown: ({ matches, files }, show) => ({
          matches: matches.map((one) => located(one, show)),
          files: files.map((one) => located(one, show)),
        }),
      }),
    findSymbols: (request) =>
      calls.ask(engine.findSymbols, request, {
        indexed: (paths) => ({
          ...calls.limits(request, paths),
          near: request.near === undefined ? undefined : paths.target(request.near, true),
        }),
        shown: ({ symbols }, show) => ({ symbols: symbols.map((one) => located(one, show)) }),
      }),
    references: (request) =>
      calls.ask(engine.references, request, {
        indexed: (paths) => ({
          ...calls.limits(request, paths),
          symbol: paths.target(request.symbol, request.relation.startsWith("import")),
        }),
        shown: shownReferences,
      }),
    changes: (request) =>
      calls.ask(engine.changes, request, {
        indexed: (paths) => calls.limits(request, paths),
        shown: shownChanges,
      }),
    apiChanges: (request) =>
      calls.ask(engine.apiChanges, request, {
        indexed: (paths) => calls.limits(request, paths),
        shown: shownApiChanges,
      }),
  };
}

/** Calls about one file, place or symbol. */
function targetCalls(
  engine: Engine,
  calls: ShellCalls,
): Pick<Engine, "outline" | "read" | "related" | "impact" | "why"> {
  return {
    outline: (request) =>
      calls.ask(engine.outline, request, {
        indexed: (paths) => ({ path: request.path && paths.target(request.path, true) }),
        shown: shownOutline,
      }),
    read: (request) => {
      const { targets } = request;
      let indexed: readonly string[] = targets;
      return calls.ask(engine.read, request, {
        indexed: (paths) => {
          indexed = targets.map((one) => paths.target(one, false));
          return { targets: indexed };
        },
        shown: (result, show) =>
          shownParts(result, show, (target) => targets[indexed.indexOf(target)] ?? target),
      });
    },
    related: (request) =>
      calls.ask(engine.related, request, {
        indexed: (paths) => ({ target: paths.target(request.target, false) }),
        shown: shownRelated,
      }),
    impact: (request) =>
      calls.ask(engine.impact, request, {
        indexed: (paths) => ({ target: paths.target(request.target, false) }),
        shown: shownImpact,
      }),
    why: (request) =>
      calls.ask(engine.why, request, {
        indexed: (paths) => ({
          question: isWords(request) ? request.question : paths.target(request.question, false),
        }),
        shown: shownWhy,
      }),
  };
}

/** Whether a question is one in words, with no path in it. */
function isWords({ question, kind }: WhyRequest): boolean {
  return kind === "words" || (kind === undefined && /\s/.test(question));
}

/** The one namespace that a request names. */
function namespaceOf(request: object): string | undefined {
  const named = "namespace" in request ? request.namespace : undefined;
  return typeof named === "string" && namespaceListOf(named) === undefined ? named : undefined;
}

/** The namespaces that the items of an answer name, which are those of several. */
function namespacesIn(answer: object): ReadonlySet<string> {
  const items = Object.values(answer).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as readonly unknown[]) : [value],
  );
  const names = items.flatMap((item) => {
    if (typeof item !== "object" || item === null) return [];
    const named = [
      "namespace" in item ? item.namespace : undefined,
      "fromNamespace" in item ? item.fromNamespace : undefined,
    ];
    return named.filter((name) => typeof name === "string");
  });
  return new Set(names);
}

function located<Item extends { readonly path: string; readonly namespace?: string }>(
  item: Item,
  show: Show,
): Item {
  return { ...item, path: show(item.path, item.namespace) };
}

function shownReferences(
  { target, others, references }: ReferencesResult,
  show: Show,
): Partial<ReferencesResult> {
  return {
    target: target.path === "" ? target : located(target, show),
    others: others.map((one) => located(one, show)),
    references: references.map((one) => ({
      ...located(one, show),
      from: one.from === "" ? "" : show(one.from, one.fromNamespace ?? one.namespace),
    })),
  };
}

function shownOutline({ outline }: OutlineResult, showPath: Show): Partial<OutlineResult> {
  // An outline calls its outermost folder "".
  const show: Show = (path) => showPath(path).replace(/^\.$/, "");
  if (outline.kind === "file") return { outline: located(outline, show) };
  const folders = outline.folders.map((folder) => ({
    ...located(folder, show),
    shown: folder.shown.map((file) => located(file, show)),
  }));
  return { outline: { ...located(outline, show), folders } };
}

/** `typed` returns a target as the user wrote it. */
function shownParts({ parts, problems }: ReadResult, show: Show, typed: Show): Partial<ReadResult> {
  return {
    parts: parts.map((part) => ({
      ...located(part, show),
      target: typed(part.target),
      others: part.others.map((one) => located(one, show)),
    })),
    problems: problems.map((problem) => {
      const { unknownPath } = problem;
      const target = typed(problem.target);
      if (unknownPath === undefined) return { ...problem, target };
      const { detail } = shownError(new UnknownPath(unknownPath), [target], show);
      return { ...problem, target, detail };
    }),
  };
}

/** An error with the paths of the shell. What the user has typed stays as it is. */
function shownError(error: UnknownPath, typed: readonly unknown[], show: Show): UnknownPath {
  const { path } = error.problem;
  return error.withPaths(show, typed.includes(path) ? path : show(path));
}

function shownRelated(result: RelatedResult, show: Show): Partial<RelatedResult> {
  return {
    path: show(result.path),
    others: result.others.map((one) => located(one, show)),
    groups: result.groups.map((group) => ({
      ...group,
      items: group.items.map((one) => located(one, show)),
    })),
  };
}

function shownImpact(result: ImpactResult, show: Show): Partial<ImpactResult> {
  const { changedFiles } = result;
  // `imports src/a.ts`
  const inText = (text: string): string =>
    changedFiles.reduce((shown, { path }) => shown.replace(path, show(path)), text);
  const ofAll = <Item extends { readonly path: string }>(items: readonly Item[]): readonly Item[] =>
    items.map((one) => located(one, show));
  return {
    description: changedFiles.length === 1 ? inText(result.description) : result.description,
    others: ofAll(result.others),
    changedFiles: ofAll(changedFiles),
    likelyChanges: ofAll(result.likelyChanges),
    files: ofAll(result.files),
    tests: ofAll(result.tests).map((one) => ({ ...one, why: one.why.map(inText) })),
    docs: ofAll(result.docs),
    entryPoints: ofAll(result.entryPoints),
  };
}

function shownWhy({ target, commits }: WhyResult, show: Show): Partial<WhyResult> {
  return {
    target: target && {
      ...located(target, show),
      others: target.others.map((one) => located(one, show)),
    },
    commits: commits.map((commit) => ({
      ...commit,
      path: commit.path === "" ? "" : show(commit.path),
      touched: commit.touched.map((one) => located(one, show)),
    })),
  };
}

function shownChanges({ changes }: ChangesResult, show: Show): Partial<ChangesResult> {
  return { changes: changes.map((change) => shownChange(change, show)) };
}

function shownApiChanges({ changes }: ApiChangesResult, show: Show): Partial<ApiChangesResult> {
  return {
    changes: changes.map((change) => ({
      ...located(change, show),
      users: change.users.map((user) => located(user, show)),
    })),
  };
}

function shownChange(change: ChangeItem, show: Show): ChangeItem {
  const { oldPath, symbols } = change;
  return {
    ...located(change, show),
    oldPath: oldPath === undefined ? undefined : show(oldPath),
    symbols: symbols.map((symbol) => ({
      ...symbol,
      // A path, a colon, and the line.
      usedBy: symbol.usedBy.map((use) => use.replace(/^.*(?=:\d+)/s, show)),
    })),
  };
}
