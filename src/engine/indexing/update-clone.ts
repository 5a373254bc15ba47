import { setTimeout as delay } from "node:timers/promises";

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { checkOutClone, prepareClone } from "../../sources/clone-checkout.ts";
import { checkedOutCommit, ensureClone, FETCHED_REF } from "../../sources/clones.ts";
import type { RepositoryUrl } from "../../sources/git-url.ts";
import type { IndexProgress } from "../api/index-report.ts";

/** Fetches a ref of a repository. This function is the engine's only access to the network. */
export type FetchRepository = (request: {
  readonly root: string;
  readonly url: string;
  readonly ref: string | undefined;
  readonly protocols: readonly string[];
  readonly into: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: {
    readonly step: "receive" | "resolve";
    readonly done: number;
    readonly total: number;
  }) => void;
}) => Promise<void>;

interface UpdateHooks {
  readonly fetchRepository: FetchRepository;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IndexProgress) => void;
}

/** How long an update waits for another process that updates the same clone, in ms. */
const MAX_LOCK_WAIT_MS = 15_000;
const LOCK_RETRY_MS = 100;
/** Resolving the received objects takes about a quarter of the time of receiving them. */
const RECEIVE_PROGRESS_SHARE = 0.8;

/**
 * Fetches a repository into its clone and checks it out. Returns the id of the commit. After any failure, the work tree is
 * that of one commit.
 */
export async function updateClone(
  dataDirectory: string,
  repository: RepositoryUrl,
  { fetchRepository, signal, onProgress }: UpdateHooks,
): Promise<string | undefined> {
  const clone = ensureClone(dataDirectory, repository);
  const release = await lock(clone.lock, signal);
  try {
    await prepareClone(clone, signal);
    await fetchRepository({
      ...repository,
      root: clone.root,
      into: FETCHED_REF,
      signal,
      onProgress: ({ step, done, total }) => {
        const share = total === 0 ? 0 : done / total;
        const all =
          step === "receive"
            ? share * RECEIVE_PROGRESS_SHARE
            : RECEIVE_PROGRESS_SHARE + share * (1 - RECEIVE_PROGRESS_SHARE);
        onProgress({ stage: "fetch", done: Math.floor(all * total), total });
      },
    });
    await checkOutClone(clone, {
      signal,
      onProgress: (files) => onProgress({ stage: "checkout", ...files }),
    });
    return checkedOutCommit(clone.root);
  } finally {
    release();
  }
}

async function lock(path: string, signal: AbortSignal): Promise<() => void> {
  const deadline = performance.now() + MAX_LOCK_WAIT_MS;
  for (;;) {
    if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const release = takeExclusiveLock(path, 0);
    if (release !== undefined) return release;
    if (performance.now() > deadline) {
      throw new SvcError("INDEX_UNAVAILABLE", "Another svc process is fetching this repository.", {
        hint: "Try again when it is done; `svc status` shows its progress.",
      });
    }
    // eslint-disable-next-line no-await-in-loop -- polling
    await delay(LOCK_RETRY_MS);
  }
}
