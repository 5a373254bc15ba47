// The numbered faults that svc is tested against, and the proof of each in addition to the tests marked by `promise`,
// which scripts/generate/promises.ts finds. docs/reliability.md is generated from this list.

/**
 * An additional proof: tests that count no cases, or a bench; or the reason for a missing proof, or the untested part.
 */
type Evidence =
  | { readonly tests: string }
  | { readonly bench: string; readonly command: string }
  | { readonly absent: string }
  | { readonly partly: string };

interface Subject {
  readonly about: string;
  readonly otherEvidence?: readonly Evidence[];
}

export const SUBJECTS: Readonly<Record<number, Subject>> = {
  1: {
    about: "An indexing process is killed (SIGKILL)",
    otherEvidence: [
      { tests: "test/engine/indexing/kills.test.ts" },
      { tests: "test/engine/indexing/kills-in-commit.test.ts" },
      { tests: "test/engine/indexing/kills-of-writers.test.ts" },
      { tests: "test/engine/indexing/kills-of-starts.test.ts" },
    ],
  },
  2: {
    about: "The power fails at any moment",
    otherEvidence: [{ tests: "test/credentials/faults/power-cut.test.ts" }],
  },
  3: {
    about: "Bits flip; files are truncated or swapped",
    otherEvidence: [
      { tests: "test/index/embedded/segment/segment-flips.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
      { tests: "test/doctor/check-indexes.test.ts" },
    ],
  },
  4: {
    about: "The disk is full; descriptors run out",
    otherEvidence: [
      { tests: "test/credentials/faults/full-disk.test.ts" },
      { tests: "test/index/embedded/storage/storage-fault.test.ts" },
    ],
  },
  5: { about: "The disk reports a failed write (fsync)" },
  6: {
    about: "The data directory or the project is read-only",
    otherEvidence: [
      { tests: "test/credentials/sealed/read-only.test.ts" },
      { tests: "test/credentials/faults/read-only.test.ts" },
    ],
  },
  7: {
    about: "Many processes use one index",
    otherEvidence: [
      { tests: "test/engine/indexing/indexer-processes.test.ts" },
      { tests: "test/engine/watching/watch-processes.test.ts" },
      { bench: "bench/soak.ts", command: "node bench/soak.ts --minutes 10 --servers 8" },
    ],
  },
  8: {
    about: "Files of another version of svc; a killed migration",
    otherEvidence: [
      { tests: "test/index/embedded/catalog/catalog.test.ts" },
      { tests: "test/credentials/migrate-kills.test.ts" },
    ],
  },
  9: {
    about: "The tree changes while svc reads it",
    otherEvidence: [{ tests: "test/scan/walk.test.ts" }],
  },
  10: {
    about: "Pipes, sockets, devices and links of every kind",
    otherEvidence: [
      { tests: "test/scan/walk.test.ts" },
      { tests: "test/sources/confined-path.test.ts" },
    ],
  },
  11: {
    about: "Huge, binary or misnamed files; names that are not text",
    otherEvidence: [
      { tests: "test/scan/read-text-file.test.ts" },
      { tests: "test/scan/walk.test.ts" },
    ],
  },
  12: {
    about: "Files without read permission",
    otherEvidence: [{ tests: "test/scan/walk.test.ts" }],
  },
  13: {
    about: "A million files; more folders than the system can watch",
    otherEvidence: [
      { tests: "test/doctor/check-data-directory.test.ts" },
      { bench: "bench/scan.ts", command: "npm run bench -- scan" },
      { partly: "A million files with `--soak`, 200,000 without." },
    ],
  },
  14: { about: "Repeated checkouts of branches" },
  15: {
    about: "Invalid messages over standard input",
    otherEvidence: [
      { tests: "test/spec/stdio.test.ts" },
      { tests: "test/transports/process-streams.test.ts" },
    ],
  },
  16: {
    about: "A line that never ends",
    otherEvidence: [{ tests: "test/transports/stdio.test.ts" }],
  },
  17: { about: "Random messages", otherEvidence: [{ tests: "test/mcp/fuzz.test.ts" }] },
  18: {
    about: "Fragmented messages; slow readers",
    otherEvidence: [{ tests: "test/transports/stdio.test.ts" }, { tests: "test/mcp/fuzz.test.ts" }],
  },
  19: {
    about: "Shutdown: end of input, signals, a client that exits",
    otherEvidence: [{ tests: "test/transports/process-streams.test.ts" }],
  },
  20: {
    about: "Only protocol messages on standard output",
    otherEvidence: [{ tests: "test/transports/process-streams.test.ts" }],
  },
  21: {
    about: "Thousands of concurrent calls; cancelled and late calls",
    otherEvidence: [
      { tests: "test/transports/process-streams.test.ts" },
      { tests: "test/mcp/fuzz.test.ts" },
    ],
  },
  22: {
    about: "A thousand clients over HTTP",
    otherEvidence: [{ bench: "bench/http/load.ts", command: "npm run bench -- http-load" }],
  },
  23: {
    about: "Slow HTTP clients",
    otherEvidence: [
      { tests: "test/transports/http/limits.test.ts" },
      { bench: "bench/http/abuse.ts", command: "npm run bench -- http-abuse" },
    ],
  },
  24: {
    about: "Invalid HTTP requests",
    otherEvidence: [{ tests: "test/transports/http/server.test.ts" }],
  },
  25: {
    about: "Other host names; web pages in browsers",
    otherEvidence: [{ tests: "test/transports/http/request-headers.test.ts" }],
  },
  26: {
    about: "A server that is asked to exit",
    otherEvidence: [{ tests: "test/transports/http/limits.test.ts" }],
  },
  27: {
    about: "Paths that leave a source",
    otherEvidence: [
      { tests: "test/sources/confined-path.test.ts" },
      { tests: "test/sources/folder-reader.test.ts" },
    ],
  },
  28: { about: "Other callers' namespaces" },
  29: { about: "Cached answers and their owners" },
  30: {
    about: "Regular expressions that could run forever",
    otherEvidence: [{ tests: "test/engine/text-search/text-pattern.test.ts" }],
  },
  31: { about: "Queries that look like SQL" },
  32: { about: "Content with instructions or terminal escapes" },
  33: {
    about: "Secrets in indexed files",
    otherEvidence: [{ tests: "test/scan/classify.test.ts" }],
  },
  34: {
    about: "Many processes create and revoke credentials",
    otherEvidence: [{ tests: "test/credentials/faults/many-processes.test.ts" }],
  },
  35: {
    about: "A revoked credential fails from the next call on",
    otherEvidence: [{ partly: "On one machine: svc does not share credentials between several." }],
  },
  36: {
    about: "Wrong clocks",
    otherEvidence: [
      { partly: "Tested: clocks set forward or back. Not tested: clocks that run too fast." },
    ],
  },
  37: {
    about: "Guessed credentials",
    otherEvidence: [{ tests: "test/credentials/brute-force.test.ts" }],
  },
  38: {
    about: "svc's own secrets in logs, errors and processes",
    otherEvidence: [{ tests: "test/base/redact.test.ts" }],
  },
  39: {
    about: "Tampering with the audit log",
    otherEvidence: [
      { tests: "test/credentials/audit/local/tampering.test.ts" },
      { tests: "test/credentials/audit/local/writers.test.ts" },
    ],
  },
  40: {
    about: "Tampering with the credential store",
    otherEvidence: [
      { tests: "test/credentials/faults/forged-stores.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
    ],
  },
  47: {
    about: "Older copies of the credential store or of the audit log",
    otherEvidence: [
      { tests: "test/cli/commands/audit-rollback.test.ts" },
      { tests: "test/credentials/faults/kill-at-every-write.test.ts" },
      { tests: "test/credentials/faults/power-cut.test.ts" },
      {
        partly:
          "Not detected: copies of store, anchor, log and head from the same moment, all restored together.",
      },
    ],
  },
  41: {
    about: "The keychain is absent, locked or hangs",
    otherEvidence: [{ tests: "test/e2e/keychain-locked.test.ts" }],
  },
  42: {
    about: "Hours of work",
    otherEvidence: [
      {
        partly:
          "Only `--soak` checks response times, and it checks memory only after an hour. There was one session of that length: 100 minutes, 120,000 questions, 23,525 edits. It gave no wrong answer, and at the end it held no more descriptors and was no slower. It failed on memory: the minimum of a quarter rose from 447 to 514 MB while its edits made the project four times as large. The edits no longer do that; no session of an hour has been run since.",
      },
    ],
  },
  43: {
    about: "PostgreSQL as the index backend",
    otherEvidence: [
      { tests: "test/index/postgres/backend.test.ts" },
      { tests: "test/index/postgres/replica.test.ts" },
      { bench: "bench/team-kills.ts", command: "node bench/team-kills.ts" },
      { bench: "bench/team-partition.ts", command: "node bench/team-partition.ts" },
    ],
  },
  44: {
    about: "A repository that leads out of its folder, or blocks its reader",
    otherEvidence: [
      { tests: "test/sources/git.test.ts" },
      { tests: "test/sources/git-store.test.ts" },
    ],
  },
  45: {
    about: "The root of a source becomes a link or another folder",
    otherEvidence: [{ tests: "test/sources/source-root.test.ts" }],
  },
  46: {
    about: "The registry of namespaces has flipped bits or is truncated",
    otherEvidence: [{ tests: "test/sources/registry/sqlite/summed-database.test.ts" }],
  },
  48: {
    about: "Many concurrent calls over HTTP",
    otherEvidence: [{ bench: "bench/http/burst.ts", command: "npm run bench -- http-burst" }],
  },
};
