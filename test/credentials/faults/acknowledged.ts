// The changes that were acknowledged to processes, and whether a store still contains them.
import { SvcError } from "../../../src/base/errors.ts";
import { openStore, type StoreOptions } from "../../../src/credentials/sealed/open-store.ts";
import { authenticate } from "../../../src/credentials/authenticate.ts";
import type { SealedStore } from "../../../src/credentials/sealed/sealed-store.ts";
import { matchesSecret } from "../../../src/credentials/list-credentials.ts";
import { codeOf } from "../home.ts";

export interface Acknowledged {
  /** Secrets, in order of creation. */
  readonly created: readonly string[];
  readonly revoked: ReadonlySet<string>;
  /** The last one that became this machine's default. */
  readonly saved: string | undefined;
  /** Number of changes repeated because other processes were writing. */
  readonly busy: number;
}

/** Parses the output of `change-credentials.ts`; a line that was cut off was not acknowledged. */
export function acknowledged(output: string): Acknowledged {
  const lines = output.split("\n").slice(0, -1);
  const of = (change: string): string[] =>
    lines.filter((line) => line.startsWith(`${change} `)).map((line) => line.split(" ")[1] ?? "");
  return {
    created: of("created"),
    revoked: new Set(of("revoked")),
    saved: of("saved").at(-1),
    busy: of("busy").length,
  };
}

/**
 * Opens the store, which checks its seals, its MAC and its generation, and reports acknowledged changes that it
 * lacks, and changes beyond them. `inFlight`: number of changes that may have been made without acknowledgement,
 * one for each killed process.
 */
export async function problemsOf(
  home: StoreOptions,
  known: readonly Acknowledged[],
  inFlight: number,
): Promise<readonly string[]> {
  try {
    const store = await openStore(home);
    if (store === undefined) {
      return known.every(({ created }) => created.length === 0) ? [] : ["there is no store"];
    }
    try {
      return [...(await lostIn(store, known, inFlight)), ...(await defaultProblems(store, known))];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof SvcError) return [`the store is refused: ${error.detail}`];
    throw error;
  }
}

async function lostIn(
  store: SealedStore,
  known: readonly Acknowledged[],
  inFlight: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const created = known.flatMap((one) => one.created);
  const revoked = new Set(known.flatMap((one) => [...one.revoked]));
  let surplus = (await store.list()).length - created.length;
  for (const secret of created) {
    // oxlint-disable-next-line no-await-in-loop -- nothing here waits
    const code = await codeOf(() => authenticate(store, secret));
    const isRevoked = code === "CREDENTIAL_REVOKED";
    if (code !== "ok" && !isRevoked) problems.push(`a created token is lost: ${code}`);
    else if (revoked.has(secret) && !isRevoked) problems.push("a revocation is undone");
    else if (isRevoked && !revoked.has(secret)) surplus += 1;
  }
  if (surplus > inFlight) problems.push(`${surplus} changes that were not acknowledged`);
  return problems;
}

/** The default must be the last one saved, or a later one whose change was in flight, or none if it was revoked. */
async function defaultProblems(
  store: SealedStore,
  known: readonly Acknowledged[],
): Promise<readonly string[]> {
  const kept = await store.defaultToken.read();
  const records = await store.list();
  const isRevoked = (secret: string): boolean =>
    records.some((record) => matchesSecret(record, secret) && record.revokedAt !== undefined);
  return known
    .filter(({ created, saved }) => {
      if (saved === undefined) return false;
      if (kept === undefined) return !isRevoked(saved);
      return created.indexOf(kept) < created.indexOf(saved);
    })
    .map(() => "the default token is lost");
}
