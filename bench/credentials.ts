// The cost of authentication: svc verifies a credential on every call, and checks each time whether
// another process has changed the store. Compared with the shortest possible check: one stat of the
// file and one PRAGMA data_version.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { SvcError } from "../src/base/errors.ts";
import { authenticate } from "../src/credentials/authenticate.ts";
import { newId, newSecret } from "../src/credentials/secret-format.ts";
import { openOrCreateStore } from "../src/credentials/sealed/open-store.ts";
import { secretDigest } from "../src/credentials/secret-digest.ts";
import type { SealedStore } from "../src/credentials/sealed/sealed-store.ts";
import { comparedInPairs, type Report, type Row } from "./report.ts";

const SIZES = [500, 10_000];
const DAY_MS = 24 * 60 * 60_000;
/** Credentials in constant use. */
const BUSY = 100;
const WARM_UP = 4;
const SHARES = 25;
/** Reference checks between two groups of samples. */
const LOOKS = 500;
const AGAIN_TARGET = "10 µs";
const FIRST_TARGET = "200 µs";

/** One call of the measured work. */
type Work = (call: number) => unknown;

interface Effort {
  readonly rounds: number;
  readonly calls: number;
}

interface Filled {
  readonly store: SealedStore;
  /** A second connection, as another process has it. */
  readonly writer: SealedStore;
  readonly secrets: readonly string[];
}

/** Needs neither the workspace of the other benches nor the built program: it measures one module. */
export async function credentials(_workspace: unknown, isSmoke: boolean): Promise<Report> {
  const effort = isSmoke ? { rounds: 15, calls: 500 } : { rounds: 15, calls: 5000 };
  const secret = newSecret("token");
  const hash = row("one SHA-256 of a secret", "cpu µs", await sample(effort, () => sha256(secret)));
  const rows: Row[] = [hash];
  const facts: Report["facts"][number][] = [];
  for (const size of SIZES) {
    const measured = await measure(size, effort);
    rows.push(...measured.rows);
    facts.push(...measured.facts);
  }
  return { bench: "credentials", corpus: `${SIZES.join(" and ")} access tokens`, rows, facts };
}

async function measure(size: number, effort: Effort): Promise<Pick<Report, "facts" | "rows">> {
  const root = mkdtempSync(join(tmpdir(), "svc-bench-"));
  try {
    const { store, writer, secrets } = await fill(root, size);
    const verify = (secret: string): Promise<unknown> => authenticate(store, secret);
    const looked = openLook(root);
    const [first, looksBetween] = await uncached(verify, secrets, looked);
    const busy = secrets.filter((_, at) => at % (size / BUSY) === 0);
    // They alternate, so that other load of the process and the machine is the same for both.
    const [again, looks] = await inTurn(effort, (call) => verify(busy[call % BUSY] ?? ""), looked);
    const { reloads, writes } = await changes(store, writer, effort.rounds);
    const revoked = await Promise.all(
      busy.slice(0, effort.rounds).map((secret) => isRevokedAtOnce(store, writer, secret)),
    );
    const holds = revoked.every(Boolean);
    await store.close();
    await writer.close();
    const name = size.toLocaleString("en");
    const look = row(`one stat and one data_version, ${name}`, "cpu µs", looks);
    return {
      rows: [
        look,
        comparedInPairs(row(`verify, first time, ${name}`, "cpu µs", first, FIRST_TARGET), {
          ...look,
          samples: looksBetween,
        }),
        comparedInPairs(row(`verify, again, ${name}`, "cpu µs", again, AGAIN_TARGET), look),
        row(`take in a change, ${name}`, "cpu ms", reloads),
        row(`make a change, ${name}`, "cpu ms", writes),
      ],
      facts: [{ text: `of ${name}: revoked elsewhere, refused by the next call`, holds }],
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function fill(root: string, size: number): Promise<Filled> {
  const places = { directory: join(root, "store"), keyDirectory: join(root, "keys") };
  const writer = await openOrCreateStore(places);
  const createdAt = Date.now();
  const rights = { kind: "token", namespaces: ["docs"], readOnly: false } as const;
  const secrets = Array.from({ length: size }, () => newSecret("token"));
  await writer.write(({ put }) => {
    for (const [at, secret] of secrets.entries()) {
      const digest = secretDigest(secret);
      const expiresAt = createdAt + DAY_MS;
      put({ id: newId("token"), name: `token ${at}`, ...rights, createdAt, expiresAt, digest });
    }
  });
  return { store: await openOrCreateStore(places), writer, secrets };
}

/**
 * The first use of each credential happens only once. Each sample covers a small group of credentials, so that a
 * garbage collection spoils some samples and not the median. Samples alternate with reference checks, because the speed
 * of a shared machine changes within the second that this takes.
 */
async function uncached(
  verify: (secret: string) => Promise<unknown>,
  secrets: readonly string[],
  look: Work,
): Promise<readonly [number[], number[]]> {
  const share = Math.floor(secrets.length / SHARES);
  for (let round = 0; round < WARM_UP; round += 1) await repeat(look, LOOKS);
  const samples: readonly [number[], number[]] = [[], []];
  for (let at = 0; at < SHARES; at += 1) {
    const met = secrets.slice(at * share, (at + 1) * share);
    const spent = await cpuMicroseconds(async () => {
      for (const secret of met) await verify(secret);
    });
    samples[0].push(spent / share);
    samples[1].push((await cpuMicroseconds(() => repeat(look, LOOKS))) / LOOKS);
  }
  return samples;
}

async function changes(
  store: SealedStore,
  writer: SealedStore,
  rounds: number,
): Promise<{ readonly reloads: number[]; readonly writes: number[] }> {
  const [reloads, writes]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    writes.push((await cpuMicroseconds(() => writer.write(() => undefined))) / 1000);
    reloads.push((await cpuMicroseconds(() => store.revision())) / 1000);
  }
  return { reloads, writes };
}

async function isRevokedAtOnce(
  store: SealedStore,
  writer: SealedStore,
  secret: string,
): Promise<boolean> {
  const { id } = await authenticate(store, secret);
  await writer.write(({ records, put }) => {
    const record = records.get(id);
    if (record !== undefined) put({ ...record, revokedAt: Date.now() });
  });
  try {
    await authenticate(store, secret);
    return false;
  } catch (error) {
    return error instanceof SvcError && error.code === "CREDENTIAL_REVOKED";
  }
}

/** The minimum cost of a verification that must notice every change by another process. */
function openLook(root: string): () => unknown {
  const path = join(root, "look.db");
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE sealed (id TEXT)");
  const version = db.prepare("PRAGMA data_version");
  version.setReturnArrays(true);
  return () => [statSync(path).ino, version.get()];
}

/** For a process that has been running for a while: the first calls, for which V8 compiles, do not count. */
async function sample({ rounds, calls }: Effort, work: Work): Promise<number[]> {
  for (let round = 0; round < WARM_UP; round += 1) await repeat(work, calls);
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    samples.push((await cpuMicroseconds(() => repeat(work, calls))) / calls);
  }
  return samples;
}

/** The same for two kinds of work, in alternating rounds. */
async function inTurn(
  { rounds, calls }: Effort,
  ...works: readonly [Work, Work]
): Promise<readonly [number[], number[]]> {
  const samples: readonly [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [at, work] of works.entries()) {
      const spent = (await cpuMicroseconds(() => repeat(work, calls))) / calls;
      if (round >= 0) samples[at]?.push(spent);
    }
  }
  return samples;
}

/** Waits for each call, if it has anything to wait for. */
async function repeat(work: Work, calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) {
    const result = work(call);
    if (result instanceof Promise) await result;
  }
}

/** Processor time, because the machine may have other work. */
async function cpuMicroseconds(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function row(name: string, unit: string, samples: readonly number[], target?: string): Row {
  return { name, unit, samples, ...(target === undefined ? {} : { target }) };
}
