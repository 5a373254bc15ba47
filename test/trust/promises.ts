// The numbered faults that svc is tested against, and the proof of each in addition to the tests marked by `promise`,
// which scripts/generate/promises.ts finds. docs/reliability.md is generated from this list.

/** An additional proof: tests that count no cases, or a bench; or why there is none, or which part is not tested. */
type Besides =
  | { readonly tests: string }
  | { readonly bench: string; readonly command: string }
  | { readonly absent: string }
  | { readonly partly: string };

interface Subject {
  readonly about: string;
  readonly besides?: readonly Besides[];
}

export const SUBJECTS: Readonly<Record<number, Subject>> = {
  1: {
    about: "An indexing process is killed (SIGKILL)",
    besides: [
      { tests: "test/engine/indexing/kills.test.ts" },
      { tests: "test/engine/indexing/kills-in-commit.test.ts" },
      { tests: "test/engine/indexing/kills-of-writers.test.ts" },
    ],
  },
  2: {
    about: "The power fails at any moment",
    besides: [{ tests: "test/credentials/faults/power-cut.test.ts" }],
  },
  3: {
    about: "Bits flip; files are truncated or swapped",
    besides: [
      { tests: "test/index/segment/segment-flips.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
      { tests: "test/doctor/indexes.test.ts" },
    ],
  },
  4: {
    about: "The disk is full; descriptors run out",
    besides: [
      { tests: "test/credentials/faults/full-disk.test.ts" },
      { tests: "test/index/storage/storage-fault.test.ts" },
    ],
  },
  5: { about: "The disk reports a failed write (fsync)" },
  6: {
    about: "The data directory or the project is read-only",
    besides: [
      { tests: "test/credentials/read-only.test.ts" },
      { tests: "test/credentials/faults/read-only.test.ts" },
    ],
  },
  7: {
    about: "Many processes use one index",
    besides: [
      { tests: "test/engine/indexing/indexer-processes.test.ts" },
      { tests: "test/engine/watching/watch-processes.test.ts" },
      { bench: "bench/soak.ts", command: "node bench/soak.ts --minutes 10 --servers 8" },
    ],
  },
  8: {
    about: "Files of another version of svc; a killed migration",
    besides: [
      { tests: "test/index/catalog/catalog.test.ts" },
      { tests: "test/credentials/migrate-kills.test.ts" },
    ],
  },
  9: {
    about: "The tree changes while svc reads it",
    besides: [{ tests: "test/scan/walk.test.ts" }],
  },
  10: {
    about: "Pipes, sockets, devices and links of every kind",
    besides: [{ tests: "test/scan/walk.test.ts" }, { tests: "test/sources/confined-path.test.ts" }],
  },
  11: {
    about: "Huge, binary or misnamed files; names that are not text",
    besides: [{ tests: "test/scan/read-text-file.test.ts" }, { tests: "test/scan/walk.test.ts" }],
  },
  12: { about: "Files without read permission", besides: [{ tests: "test/scan/walk.test.ts" }] },
  13: {
    about: "A million files; more folders than the system can watch",
    besides: [
      { tests: "test/doctor/surroundings.test.ts" },
      { bench: "bench/scan.ts", command: "npm run bench -- scan" },
      { partly: "A million files with `--soak`, 200,000 without." },
    ],
  },
  14: { about: "Repeated checkouts of branches" },
  15: {
    about: "Invalid messages over standard input",
    besides: [
      { tests: "test/spec/stdio.test.ts" },
      { tests: "test/transports/stdio-process.test.ts" },
    ],
  },
  16: { about: "A line that never ends", besides: [{ tests: "test/transports/stdio.test.ts" }] },
  17: { about: "Random messages", besides: [{ tests: "test/mcp/fuzz.test.ts" }] },
  18: {
    about: "Fragmented messages; slow readers",
    besides: [{ tests: "test/transports/stdio.test.ts" }, { tests: "test/mcp/fuzz.test.ts" }],
  },
  19: {
    about: "Shutdown: end of input, signals, a client that exits",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  20: {
    about: "Only protocol messages on standard output",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  21: {
    about: "Thousands of concurrent calls; cancelled and late calls",
    besides: [
      { tests: "test/transports/stdio-process.test.ts" },
      { tests: "test/mcp/fuzz.test.ts" },
    ],
  },
  22: {
    about: "A thousand clients over HTTP",
    besides: [{ bench: "bench/http/load.ts", command: "npm run bench -- http-load" }],
  },
  23: {
    about: "Slow HTTP clients",
    besides: [
      { tests: "test/transports/http/limits.test.ts" },
      { bench: "bench/http/abuse.ts", command: "npm run bench -- http-abuse" },
    ],
  },
  24: {
    about: "Invalid HTTP requests",
    besides: [{ tests: "test/transports/http/requests.test.ts" }],
  },
  25: {
    about: "Other host names; web pages in browsers",
    besides: [{ tests: "test/transports/http/request-headers.test.ts" }],
  },
  26: {
    about: "A server that is asked to exit",
    besides: [{ tests: "test/transports/http/limits.test.ts" }],
  },
  27: {
    about: "Paths that leave a source",
    besides: [
      { tests: "test/sources/confined-path.test.ts" },
      { tests: "test/sources/folder-reader.test.ts" },
    ],
  },
  28: { about: "Other callers' namespaces" },
  29: { about: "Cached answers and their owners" },
  30: {
    about: "Regular expressions that could run forever",
    besides: [{ tests: "test/engine/text-search/text-pattern.test.ts" }],
  },
  31: { about: "Queries that look like SQL" },
  32: { about: "Content with instructions or terminal escapes" },
  33: { about: "Secrets in indexed files", besides: [{ tests: "test/scan/classify.test.ts" }] },
  34: {
    about: "Many processes create and revoke credentials",
    besides: [{ tests: "test/credentials/faults/many-processes.test.ts" }],
  },
  35: {
    about: "A revoked credential fails from the next call on",
    besides: [{ partly: "On one machine: svc does not share credentials between several." }],
  },
  36: {
    about: "Wrong clocks",
    besides: [
      { partly: "Tested: clocks set forward or back. Not tested: clocks that run too fast." },
    ],
  },
  37: {
    about: "Guessed credentials",
    besides: [{ tests: "test/credentials/brute-force.test.ts" }],
  },
  38: {
    about: "svc's own secrets in logs, errors and processes",
    besides: [{ tests: "test/base/redact.test.ts" }],
  },
  39: {
    about: "Tampering with the audit log",
    besides: [
      { tests: "test/credentials/audit/tampering.test.ts" },
      { tests: "test/credentials/audit/writers.test.ts" },
    ],
  },
  40: {
    about: "Tampering with the credential store",
    besides: [
      { tests: "test/credentials/faults/forged-stores.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
    ],
  },
  47: {
    about: "Older copies of the credential store or of the audit log",
    besides: [
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
    besides: [{ tests: "test/e2e/keychain-locked.test.ts" }],
  },
  42: {
    about: "Hours of work",
    besides: [
      {
        partly:
          "Only `--soak` checks response times, and it checks memory only after an hour. There was one session of that length: 100 minutes, 120,000 questions, 23,525 edits. It gave no wrong answer, and at the end it held no more descriptors and was no slower. It failed on memory: the minimum of a quarter rose from 447 to 514 MB while its edits made the project four times as large. The edits no longer do that; no session of an hour has been run since.",
      },
    ],
  },
  43: {
    about: "PostgreSQL as the index backend",
    besides: [{ absent: "svc keeps its index in files of its own and has no such backend." }],
  },
  44: {
    about: "A repository that leads out of its folder, or blocks its reader",
    besides: [{ tests: "test/sources/git.test.ts" }, { tests: "test/sources/git-store.test.ts" }],
  },
  45: {
    about: "The root of a source becomes a link or another folder",
    besides: [{ tests: "test/sources/source-root.test.ts" }],
  },
  46: {
    about: "The registry of namespaces has flipped bits or is truncated",
    besides: [{ tests: "test/sources/registry-damage.test.ts" }],
  },
  48: {
    about: "Many concurrent calls over HTTP",
    besides: [{ bench: "bench/http/burst.ts", command: "npm run bench -- http-burst" }],
  },
};
