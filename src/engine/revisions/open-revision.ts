// The index of a commit: built at the first query about it, and kept next to the index of the current files. Files come
// from git's objects, and nothing is checked out.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { SvcError } from "../../base/errors.ts";
import { shortHash } from "../../base/short-hash.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import { explainWriteErrors, IndexDamage } from "../../index/damage.ts";
import type { IndexBackend, IndexReader, ReadOptions } from "../../index/port.ts";
import type { NewRevision } from "../../index/revision-indexes.ts";
import { openCommitTexts, type CommitTexts } from "../../sources/text/commit-texts.ts";
import type { TextArchive } from "../../sources/text/port.ts";
import type { EngineRequest, RevisionLimits } from "../api/request.ts";
import { shownPaths } from "../files/shown-paths.ts";
import { withProjectSettings, type ConfiguredSource } from "../indexing/project-settings.ts";
import { runIndexJob } from "../indexing/run-index-job.ts";
import type { OpenIndex } from "../open-indexes.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { RevisionFiles } from "./revision-files.ts";

/** What the index of a revision is made from. */
interface RevisionParts {
  readonly index: IndexBackend;
  readonly embeddings: EmbeddingSource;
}

interface RevisionRequest extends RevisionLimits, Pick<EngineRequest, "signal" | "deadline"> {
  readonly at: string;
}

/** Documents are read by threads, from files. `--at` leaves them out. */
const NO_ARCHIVE: TextArchive = {
  keepsFiles: false,
  keep: () => {},
  find: async () => undefined,
  isFull: false,
  flush: async () => {},
  collect: async () => {},
};

/**
 * Runs a query on the index of a revision, and makes that first if there is none. Throws INVALID_PARAMS if no source has the
 * revision, or the backend keeps no such indexes; INDEX_UNAVAILABLE if it is damaged; STORAGE_FULL; TIMEOUT.
 */
export async function withRevision<Answer>(
  { index, embeddings }: RevisionParts,
  { namespace, sources: all }: OpenIndex,
  { at, signal, deadline, onIndexing }: RevisionRequest,
  run: (revised: OpenIndex) => Promise<Answer>,
): Promise<Answer> {
  const { revisions } = index;
  if (revisions === undefined) {
    throw new SvcError("INVALID_PARAMS", "at: an index in memory keeps no indexes of commits.", {
      hint: "`svc read` and `svc grep` read any commit; to search one, index a worktree of it.",
    });
  }
  const texts = await openCommitTexts(all, at, signal);
  const sources = await withProjectSettings(texts.commits.map(({ source }) => source));
  const id = idOf(texts, sources, embeddings);
  const build = (created: NewRevision<IndexBackend>): Promise<void> =>
    buildRevision(created, { namespace, texts, sources, embeddings, signal, onIndexing });
  const kept =
    revisions.find(namespace, id) ??
    (await explainWriteErrors(() => revisions.make(namespace, id, { signal, build })));
  const read = async (options?: ReadOptions): Promise<IndexReader> => {
    const reader = await kept.reader(namespace, options);
    if (reader !== undefined) return reader;
    throw new IndexDamage("there is no catalogue");
  };
  try {
    const reader = await read({ signal, deadline });
    return await run({
      namespace,
      sources,
      reader,
      revision: {
        reader: read,
        texts: texts.reader,
        commits: new Map(texts.commits.map(({ source, commit }) => [source.root, commit])),
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage)) throw thrown;
    revisions.discard(namespace, id);
    throw new SvcError("INDEX_UNAVAILABLE", `The index of ${at} is damaged.`, {
      hint: "Try again; svc rebuilds it.",
      cause: thrown,
    });
  }
}

/** Names what the index of a revision depends on. */
function idOf(
  { commits }: CommitTexts,
  sources: readonly ConfiguredSource[],
  { id: table }: EmbeddingSource,
): string {
  const ids = commits.map(({ commit }) => commit);
  const rules = sources.map(({ id, prefix, root, include, exclude, project }) => [
    id,
    prefix,
    root,
    include,
    exclude,
    project?.filter,
  ]);
  return shortHash(JSON.stringify([table, ids, rules]));
}

interface BuildOptions extends Pick<RevisionRequest, "signal" | "onIndexing"> {
  readonly namespace: AuthorizedNamespace;
  readonly texts: CommitTexts;
  /** Those that have the commit. */
  readonly sources: readonly ConfiguredSource[];
  readonly embeddings: EmbeddingSource;
}

async function buildRevision(
  { index, files: folder }: NewRevision<IndexBackend>,
  { namespace, texts, sources, embeddings, signal, onIndexing }: BuildOptions,
): Promise<void> {
  const isShown = shownPaths(sources);
  const wanted = (await texts.files()).filter(
    ({ path }) => isShown(path) && documentFormatOf(path) === undefined,
  );
  const files = new RevisionFiles(folder, texts, signal);
  const base =
    sources.length === 1
      ? await index.bases?.open(namespace, embeddings.id).catch(() => undefined)
      : undefined;
  try {
    await files.read(wanted, { base, namespace });
  } finally {
    base?.close();
  }
  await runIndexJob(
    { namespace, sources: files.sources, rebuild: false, isAwaited: true, waitMs: 0 },
    {
      index,
      scan: {
        files: files.found,
        skipped: [],
        completeSources: new Set(sources.map(({ id }) => id)),
        missingFolders: [],
        warnings: [],
      },
      embeddings,
      grammars: packedGrammars,
      texts: NO_ARCHIVE,
      onProgress: onIndexing,
      beforeCommit: async () => signal.throwIfAborted(),
    },
  );
}
