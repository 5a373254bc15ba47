// Checks the PostgreSQL database of a shared backend, the copies of its indexes on this machine, its credentials and its
// audit log.

import { counted, sizeText } from "../base/amounts.ts";
import { statfsSync } from "node:fs";

import { toSvcError } from "../base/errors.ts";
import { quoted } from "../base/quoted.ts";
import type { PostgresDescription } from "../backend/backend.ts";
import type { SharedBackendState } from "../backend/inspect-postgres.ts";
import { copiedBytes } from "../index/postgres/copy-limit.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { createReporter, firstFew, type Finding } from "./finding.ts";

const CHECK = "backend";
const { ok, warning } = createReporter(CHECK);
const cache = createReporter("cache");
const credentials = createReporter("credentials");
const audit = createReporter("audit log");

/** A difference between the clocks that makes the expiry of tokens and leases differ visibly. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;
/** A question needs a round trip when the state is older than a second. */
const MAX_ROUND_TRIP_MS = 50;
const MIN_FREE_BYTES = 1e9;

/** The database can be reached, its tables fit this svc, and its clock agrees with that of this machine. */
export const checkBackend: Check = {
  name: CHECK,
  async run(context) {
    const { sharedBackend, settings, credentialsOf } = context;
    if (sharedBackend === undefined) return [];
    const { inspectPostgres, tablesProblem } = await import("../backend/inspect-postgres.ts");
    const state = await inspectPostgres(sharedBackend);
    // Reading credentials would create or update the tables, and doctor changes nothing.
    const problem = tablesProblem(state);
    if (problem !== undefined) return [...serverFindings(state), warning(...problem)];
    const opened = credentialsOf(settings);
    try {
      return [
        ...serverFindings(state),
        ...namespaceFindings(state),
        updateFinding(state),
        ...searchNodeFindings(state),
        ...cacheFindings(state, sharedBackend),
        await credentialFinding(opened),
        await auditFinding(opened, context),
      ];
    } finally {
      await opened.close();
    }
  },
};

function serverFindings(state: SharedBackendState): readonly Finding[] {
  const { host, database, serverVersion, schema, schemaVersion, isEncrypted } = state;
  const { sizeBytes, standbys, isSynchronous, roundTripMs, clockAheadMs } = state;
  const link = isEncrypted ? "TLS" : "this machine";
  const findings = [
    ok(
      `PostgreSQL ${serverVersion} at ${host} (${link}), database ${database}, schema ${schema} version ${schemaVersion}, ${sizeText(sizeBytes)}, ${roundTripMs.toFixed(1)} ms away`,
    ),
  ];
  if (roundTripMs > MAX_ROUND_TRIP_MS) {
    findings.push(
      warning(
        `a round trip to the database takes ${roundTripMs.toFixed(0)} ms`,
        "Run svc nearer to the database: each new version of an index and each check of a credential needs a round trip.",
      ),
    );
  }
  if (Math.abs(clockAheadMs) > MAX_CLOCK_DIFFERENCE_MS) {
    const direction = clockAheadMs > 0 ? "ahead of" : "behind";
    findings.push(
      warning(
        `the clock of this machine is ${(Math.abs(clockAheadMs) / 1000).toFixed(0)} s ${direction} that of the database: tokens expire at different times on different nodes`,
        "Synchronize both clocks, for example with chrony or systemd-timesyncd.",
      ),
    );
  }
  if (standbys.length > 0) {
    const names = firstFew(
      standbys.map(({ name, syncState }) =>
        syncState === "unknown" ? name : `${name} (${syncState})`,
      ),
    );
    findings.push(
      isSynchronous ||
        standbys.some(({ syncState }) => syncState === "sync" || syncState === "quorum")
        ? ok(`${counted(standbys.length, "standby server")}: ${names}`)
        : warning(
            `no standby is synchronous: ${names}`,
            "Set synchronous_standby_names, so that a fail-over loses no commit.",
          ),
    );
  }
  return findings;
}

function namespaceFindings({ namespaces }: SharedBackendState): readonly Finding[] {
  const damaged = namespaces.flatMap(({ name, damage }) =>
    damage === undefined
      ? []
      : [
          createReporter("index", name).failed(
            damage,
            `Run \`svc index DIR --namespace ${name} --rebuild\` on a machine that has the sources.`,
          ),
        ],
  );
  return [ok(counted(namespaces.length, "namespace")), ...damaged];
}

function updateFinding({ indexNodes, openUpdates }: SharedBackendState): Finding {
  const waiting =
    openUpdates === 0
      ? "no updates waiting"
      : `${counted(openUpdates, "update")} waiting or running`;
  if (indexNodes.length > 0)
    return ok(`${counted(indexNodes.length, "index node")}: ${firstFew(indexNodes)}; ${waiting}`);
  if (openUpdates === 0) return ok("no index nodes: each machine updates repositories itself");
  return warning(
    `no index node runs, and there is work for one (${waiting})`,
    "Start one with `svc serve --role index`.",
  );
}

/** Empty for a team whose nodes search alone. */
function searchNodeFindings({ searchNodes }: SharedBackendState): readonly Finding[] {
  if (searchNodes.length === 0) return [];
  return [ok(`${counted(searchNodes.length, "search node")}: ${firstFew(searchNodes)}`)];
}

function cacheFindings(
  { namespaces }: SharedBackendState,
  { cacheDirectory, maxCacheBytes }: PostgresDescription,
): readonly Finding[] {
  const copies = namespaces.filter(({ copied }) => copied !== undefined);
  const behind = copies.filter(({ copied, generation }) => (copied ?? 0) < generation);
  const late =
    behind.length === 0
      ? ""
      : `; ${firstFew(behind.map(({ name, copied, generation }) => `${name} is ${generation - (copied ?? 0)} behind`))}, until its next question`;
  const size = sizeText(copiedBytes(cacheDirectory));
  const extent = maxCacheBytes === undefined ? size : `${size} (limit ${sizeText(maxCacheBytes)})`;
  const text = `${cacheDirectory}: ${extent}, copies of ${copies.length} of ${counted(namespaces.length, "namespace")}${late}`;
  const free = freeBytes(cacheDirectory);
  if (free !== undefined && free < MIN_FREE_BYTES) {
    const fix = `Free some space, or set SERVICE_CACHE to another folder and run \`rm -r ${quoted(cacheDirectory)}\`: the database has everything in it.`;
    return [cache.warning(`${text}; ${sizeText(free)} free`, fix)];
  }
  return [cache.ok(text)];
}

/** Undefined if the folder does not exist yet. */
function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

async function credentialFinding({
  store: open,
}: ReturnType<CheckContext["credentialsOf"]>): Promise<Finding> {
  const store = await open();
  const records = (await store?.list()) ?? [];
  const now = Date.now();
  const active = records.filter(
    ({ revokedAt, expiresAt = Infinity }) => revokedAt === undefined && expiresAt > now,
  );
  return credentials.ok(`${counted(active.length, "active credential")} in the database`);
}

async function auditFinding(
  { auditReader }: ReturnType<CheckContext["credentialsOf"]>,
  { isDeep }: CheckContext,
): Promise<Finding> {
  if (!isDeep) return audit.ok("not verified (run `svc doctor --deep`)");
  try {
    const result = await (await auditReader()).verify();
    if (result === undefined) return audit.ok("nothing has been audited yet");
    const { lines, damage } = result;
    if (damage === undefined) return audit.ok(`${counted(lines, "line")} verified`);
    const place = damage.line === undefined ? damage.part : `${damage.part}, line ${damage.line}`;
    return audit.failed(
      `${place}: ${damage.kind} (${damage.detail})`,
      "Check who can write to the tables of the database; `svc audit verify` shows how much of the log is valid.",
    );
  } catch (thrown) {
    const { message, hint } = toSvcError(thrown);
    return audit.failed(message, hint ?? "Run `svc audit verify`.");
  }
}
