// Starts the first index of a worktree or a clone from that of another namespace with the same repository, or from the one
// that was fetched from a server. A file is taken from there only if its content, as it is on disk now, has the same hash:
// so nothing of the other tree can be in an answer, whatever made the index a candidate.

import type { IndexBackend } from "../../index/port.ts";
import {
  MIN_SAME_SHARE,
  type IndexBase,
  type IndexBases,
  type ProvenContent,
} from "../../index/index-base.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import { isSameRepository, repositoryPlace } from "../../sources/same-repository.ts";
import { rootProblem } from "../../sources/source-root.ts";
import type { RegistryState } from "../../sources/registry/registry-state.ts";
import { FileParser, fileTask, type FileTask } from "./file-parser.ts";
import { listedState } from "./file-states.ts";
import { ParallelParser } from "./parallel-parser.ts";
import { withProjectSettings, type ConfiguredSource } from "./project-settings.ts";
import type { RunOptions, StartParsers } from "./run-options.ts";
import { bytesOf, scanSources, type FoundFile, type SourceScan } from "./source-scan.ts";
import { encodeStart, START_NOTE } from "./start-note.ts";

interface StartHooks {
  readonly index: IndexBackend;
  /** Id of the embedding table; "" for an index without vectors. */
  readonly embedder: string;
  /** Called between parts of the work; ends it by throwing. */
  readonly check: () => Promise<void>;
  readonly startParsers?: StartParsers | undefined;
}

/** Maximum number of namespaces of one repository that are compared. */
const MAX_CANDIDATES = 16;
const FILES_PER_CHECK = 256;

/**
 * Starts the index of the job's namespace from another one, if it has none and the other has at least half of its files.
 * Otherwise it does nothing. Afterwards the files that are not taken are listed, for a run to read. Returns the scan of the
 * files, for that run, if it made one. Throws IndexDamage, and the errors of the file system: then there is no index yet.
 */
export async function startFromBase(
  job: RunOptions,
  state: RegistryState,
  hooks: StartHooks,
): Promise<SourceScan | undefined> {
  const { bases } = hooks.index;
  const [source] = job.sources;
  if (bases === undefined || source === undefined || !isStartable(job)) return undefined;
  if (!bases.isNew(job.namespace)) return undefined;
  const candidates = await candidatesFor(source, state);
  const fetched = await bases.openFetched(job.namespace, hooks.embedder).catch(() => undefined);
  if (candidates.length === 0 && fetched === undefined) return undefined;
  const scan = scanSources([source], {
    maxFileBytes: MAX_INDEXED_BYTES,
    isRemembered: true,
    onSource: () => {},
  });
  if (!scan.completeSources.has(source.id)) {
    fetched?.close();
    return scan;
  }
  const { files } = scan;
  const best = await openBest(bases, { fetched, candidates, files, embedder: hooks.embedder });
  if (best === undefined) return scan;
  try {
    const contents = await sameContents(job, { base: best.base, files }, hooks);
    if (contents.size < files.length * MIN_SAME_SHARE) return scan;
    await best.base.start(job.namespace, {
      source: source.id,
      contents,
      paths: files.map(({ path }) => path),
      listed: (path) => listedState(source, path),
      notes: (same) =>
        new Map([[START_NOTE, encodeStart({ base: best.name, same, files: files.length })]]),
    });
    return scan;
  } finally {
    best.base.close();
  }
}

/** Whether the job is a first run over all files of one source. */
function isStartable(job: RunOptions): boolean {
  const { sources, registeredSources, folders, rebuild, quarantine, isShared } = job;
  const isOne = sources.length === 1 && registeredSources?.length === 1;
  return (
    isOne && folders === undefined && !rebuild && quarantine === undefined && isShared !== true
  );
}

/** The namespaces whose only source is the same folder of the same repository, indexed with the same settings. */
async function candidatesFor(
  source: ConfiguredSource,
  state: RegistryState,
): Promise<readonly string[]> {
  const place = repositoryPlace(source);
  if (place === undefined) return [];
  const settings = settingsOf(source);
  const found: string[] = [];
  for (const name of state.namespaces()) {
    const [other, second] = state.sources(name);
    if (other === undefined || second !== undefined || name === source.namespace) continue;
    if (rootProblem(other) !== undefined) continue;
    const otherPlace = repositoryPlace(other);
    if (otherPlace === undefined || !isSameRepository(place, otherPlace)) continue;
    // oxlint-disable-next-line no-await-in-loop -- few are of the same repository
    const [configured] = await withProjectSettings([other]);
    if (configured === undefined || settingsOf(configured) !== settings) continue;
    found.push(name);
    if (found.length === MAX_CANDIDATES) break;
  }
  return found;
}

function settingsOf({ prefix, include, exclude, project }: ConfiguredSource): string {
  return JSON.stringify([prefix, include, exclude, project?.filter ?? {}]);
}

interface OpenedBase {
  readonly name: string;
  readonly base: IndexBase;
}

/** Returns the base with the most files that may be the same; undefined if none has enough. The caller closes it. */
async function openBest(
  bases: IndexBases,
  {
    fetched,
    candidates,
    files,
    embedder,
  }: {
    readonly fetched: IndexBase | undefined;
    readonly candidates: readonly string[];
    readonly files: readonly FoundFile[];
    readonly embedder: string;
  },
): Promise<OpenedBase | undefined> {
  let best: OpenedBase | undefined;
  let most = files.length * MIN_SAME_SHARE;
  const compare = (name: string, base: IndexBase): void => {
    const count = files.filter(
      ({ path, record }) => base.files.get(path)?.size === record.sizeBytes,
    ).length;
    if (count > most || (best === undefined && count === most)) {
      best?.base.close();
      best = { name, base };
      most = count;
    } else base.close();
  };
  if (fetched !== undefined) compare(fetched.offer ?? "", fetched);
  for (const name of candidates) {
    // oxlint-disable-next-line no-await-in-loop -- one in memory at a time
    const base = await bases.open(name, embedder).catch(() => undefined);
    if (base !== undefined) compare(name, base);
  }
  return best;
}

/** Reads the files that may be the same, and returns the content of those that are. */
async function sameContents(
  { isAwaited, sources }: RunOptions,
  { base, files }: { readonly base: IndexBase; readonly files: readonly FoundFile[] },
  { check, startParsers }: StartHooks,
): Promise<ReadonlyMap<string, ProvenContent>> {
  const alike = files.filter(({ path, record }) => base.files.get(path)?.size === record.sizeBytes);
  const byId = new Map(sources.map((source) => [source.id, source]));
  const tasks = alike.map((file): FileTask => ({
    ...fileTask(file, base.files.get(file.path)?.hash),
    isCompared: true,
  }));
  const threads = (await startParsers?.(bytesOf(alike))) ?? [];
  const results = new ParallelParser(new FileParser(byId), tasks, threads, {
    sources: byId,
    keepsRawBytes: false,
    hasLowPriority: isAwaited !== true,
  });
  const contents = new Map<string, ProvenContent>();
  try {
    for (const [at, { path, mtimeMs, inode, unchangedHash: hash }] of tasks.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- so that the run can be cancelled
      if (at % FILES_PER_CHECK === 0) await check();
      // oxlint-disable-next-line no-await-in-loop -- the threads work meanwhile
      const result = await results.next();
      if (!("isUnchanged" in result) || hash === undefined) continue;
      contents.set(path, { hash, mtimeMs, inode, indexedMs: result.indexedMs });
    }
  } finally {
    results.close();
  }
  return contents;
}
