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

/** A change of fewer folders is not a switch of the branch. */
const MIN_FOLDERS = 16;
/** To read fewer files costs less than to fetch what the server has. */
const MIN_FILES = 100;
/**
 * Number of files in the sample that estimates how many have changed. Fewer than MIN_CHANGED changed files may be
 * chance.
 */
const SAMPLE_FILES = 256;
const MIN_CHANGED = 4;
/** Minimum time between two samples, and between two requests to the server. */
const PAUSE_MS = 10_000;

export class SessionOffer {
  readonly #parts: SessionOfferParts;
  #pausedUntil = -Infinity;

  constructor(parts: SessionOfferParts) {
    this.#parts = parts;
  }

  /**
   * Returns when the run may begin, and whether the server was asked: without its index, the run reads the files. Rejects only
   * if `signal` is aborted.
   */
  async fetchFor(job: RunOptions, signal: AbortSignal): Promise<boolean> {
    const { openOffer, bases, logger, embeddings } = this.#parts;
    const { namespace } = job;
    const source = await this.#sourceOf(job);
    if (bases === undefined || source === undefined) return false;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    const embedder = embeddingsFrom(embeddings)?.id ?? "";
    try {
      const isNew = bases.isNew(namespace);
      if (!isNew && !(await haveManyChanged(bases, source, embedder))) return false;
      const offer = await openOffer(source.root, signal);
      try {
        const fetched = await bases.fetchOffer(namespace, offer, { embedder, signal });
        logger.info("fetched the index of the server", { from: offer.name, ...fetched });
      } finally {
        await offer.close();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      const { code, message, detail } = toSvcError(thrown);
      // The remedy of this one is for a command.
      const problem = code === "REMOTE_UNAVAILABLE" ? message : detail;
      logger.warn("reads the files, without the index of the server", { problem });
    }
    return true;
  }

  /** The folder of the session, if the run may be large. */
  async #sourceOf({
    namespace,
    folders,
    sources: [source, second],
    rebuild,
  }: RunOptions): Promise<Source | undefined> {
    const mayBeLarge = !rebuild && (folders?.length ?? MIN_FOLDERS) >= MIN_FOLDERS;
    if (!mayBeLarge || second !== undefined || source?.url !== undefined) return undefined;
    if (performance.now() < this.#pausedUntil) return undefined;
    return (await this.#parts.workspace()) === namespace ? source : undefined;
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
