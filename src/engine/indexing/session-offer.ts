// Fetches the index that a server has of the workspace before a run that would read many files, if the owner of the session
// has named a server. The run takes from it what has the same content here (start-from-base.ts, fetched-contents.ts).

import { lstatSync } from "node:fs";
import { join } from "node:path";

import { toSvcError } from "../../base/errors.ts";
import { toFilePath } from "../../base/path-bytes.ts";
import type { Logger } from "../../base/log.ts";
import type { IndexBases } from "../../index/index-base.ts";
import type { IndexOffer } from "../../index/index-export.ts";
import type { Source } from "../../sources/registry/records.ts";
import { embeddingsFrom } from "../embeddings.ts";
import type { RunOptions } from "./run-options.ts";

/** Opens the index that a server has of the repository of a folder. The caller closes it. */
export type OpenOffer = (root: string, signal: AbortSignal) => Promise<IndexOffer>;

interface SessionOfferParts {
  readonly openOffer: OpenOffer;
  /** Undefined for a backend whose indexes start from no others. */
  readonly bases: IndexBases | undefined;
  /** Folder of a model2vec model. */
  readonly embeddings: string | undefined;
  /** The namespace of the session; undefined if it has none. */
  readonly workspace: () => Promise<string | undefined>;
  readonly logger: Pick<Logger, "info" | "warn">;
}

interface PlannedRun extends Pick<RunOptions, "namespace" | "folders"> {
  readonly sources: readonly Source[];
  readonly isFirstBuild: boolean;
}

/** A change of fewer folders is no switch of the branch. */
const MIN_FOLDERS = 16;
/** To read fewer files costs less than to fetch what the server has. */
const MIN_FILES = 100;
/** So many files are looked at to estimate how many have changed; with fewer changed ones, it may be chance. */
const SAMPLE_FILES = 256;
const MIN_CHANGED = 4;
/** Nothing is looked at, and the server is not asked, again sooner. */
const PAUSE_MS = 10_000;

export class SessionOffer {
  readonly #parts: SessionOfferParts;
  #pausedUntil = -Infinity;

  constructor(parts: SessionOfferParts) {
    this.#parts = parts;
  }

  /** Resolves when the run may begin: without the server, it reads the files. Rejects only if `signal` is aborted. */
  async prepare(
    { namespace, folders, sources, isFirstBuild }: PlannedRun,
    signal: AbortSignal,
  ): Promise<void> {
    const { openOffer, bases, workspace, logger } = this.#parts;
    const embedder = embeddingsFrom(this.#parts.embeddings)?.id ?? "";
    const [source, second] = sources;
    if (
      bases === undefined ||
      source === undefined ||
      source.url !== undefined ||
      second !== undefined
    )
      return;
    const mayBeMany = isFirstBuild || (folders?.length ?? MIN_FOLDERS) >= MIN_FOLDERS;
    if (!mayBeMany || performance.now() < this.#pausedUntil || (await workspace()) !== namespace)
      return;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    try {
      if (!isFirstBuild && !(await haveManyChanged(bases, source, embedder))) return;
      const offer = await openOffer(source.root, signal);
      const { fetchedBytes } = await bases
        .fetchOffer(namespace, offer, { embedder, signal })
        .finally(() => offer.close());
      logger.info("fetched the index of the server", { from: offer.name, fetchedBytes });
    } catch (thrown) {
      signal.throwIfAborted();
      const { code, message, detail } = toSvcError(thrown);
      // The remedy of this one is for a command.
      const problem = code === "REMOTE_UNAVAILABLE" ? message : detail;
      logger.warn("reads the files, without the index of the server", { problem });
    }
  }
}

/** Estimates whether a run would read many files, by the sizes of some. */
async function haveManyChanged(
  bases: IndexBases,
  { namespace, root, prefix }: Source,
  embedder: string,
): Promise<boolean> {
  const base = await bases.open(namespace, embedder);
  if (base === undefined) return false;
  const files = [...base.files];
  base.close();
  const step = Math.max(1, files.length / SAMPLE_FILES);
  let changed = 0;
  for (let at = 0; at < files.length; at += step) {
    const [path, { size }] = files[Math.floor(at)] ?? ["", { size: 0 }];
    const place = toFilePath(join(root, path.slice(prefix.length)));
    if (lstatSync(place, { throwIfNoEntry: false })?.size !== size) changed += 1;
  }
  return changed >= MIN_CHANGED && changed * step >= MIN_FILES;
}
