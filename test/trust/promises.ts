// The list of promises, by number, with the evidence other than tests marked by `promise`, which the generator
// finds itself. docs/reliability.md is generated from it.

/** Further evidence: tests that count no cases, or a bench; the reason why there is none; the part that is not tested. */
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
    about: "A process killed while it indexes (SIGKILL)",
    besides: [
      { tests: "test/engine/indexing/kills.test.ts" },
      { tests: "test/engine/indexing/kills-in-commit.test.ts" },
      { tests: "test/engine/indexing/kills-of-writers.test.ts" },
    ],
  },
  2: {
    about: "A power cut at any moment",
    besides: [{ tests: "test/credentials/faults/power-cut.test.ts" }],
  },
  3: {
    about: "Flipped bits, truncated or swapped files",
    besides: [
      { tests: "test/index/segment/segment-flips.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
      { tests: "test/doctor/indexes.test.ts" },
    ],
  },
  4: {
    about: "A full disk, too few descriptors",
    besides: [
      { tests: "test/credentials/faults/full-disk.test.ts" },
      { tests: "test/index/storage/storage-fault.test.ts" },
    ],
  },
  5: { about: "A disk that fails to write (fsync)" },
  6: {
    about: "A read-only data directory or project",
    besides: [
      { tests: "test/credentials/read-only.test.ts" },
      { tests: "test/credentials/faults/read-only.test.ts" },
    ],
  },
  7: {
    about: "Many processes on one index",
    besides: [
      { tests: "test/engine/indexing/indexer-processes.test.ts" },
      { tests: "test/engine/watching/watch-processes.test.ts" },
      { bench: "bench/soak.ts", command: "node bench/soak.ts --minutes 10 --servers 8" },
    ],
  },
  8: {
    about: "Files of another version of svc, a migration that is killed",
    besides: [
      { tests: "test/index/catalog/catalog.test.ts" },
      { tests: "test/credentials/migrate-kills.test.ts" },
    ],
  },
  9: {
    about: "A tree that changes during a read",
    besides: [{ tests: "test/scan/walk.test.ts" }],
  },
  10: {
    about: "Pipes, sockets, devices, links of every kind",
    besides: [{ tests: "test/scan/walk.test.ts" }, { tests: "test/sources/confined-path.test.ts" }],
  },
  11: {
    about: "Huge, binary or misnamed files; names that are not text",
    besides: [{ tests: "test/scan/read-text-file.test.ts" }, { tests: "test/scan/walk.test.ts" }],
  },
  12: { about: "Unreadable files", besides: [{ tests: "test/scan/walk.test.ts" }] },
  13: {
    about: "A million files; too many folders to watch",
    besides: [
      { tests: "test/doctor/surroundings.test.ts" },
      { bench: "bench/scan.ts", command: "npm run bench -- scan" },
      { partly: "A million with `--soak`, 200,000 without." },
    ],
  },
  14: { about: "Branches checked out again and again" },
  15: {
    about: "Malformed messages over standard input",
    besides: [
      { tests: "test/spec/stdio.test.ts" },
      { tests: "test/transports/stdio-process.test.ts" },
    ],
  },
  16: { about: "An endless line", besides: [{ tests: "test/transports/stdio.test.ts" }] },
  17: { about: "Random messages", besides: [{ tests: "test/mcp/fuzz.test.ts" }] },
  18: {
    about: "Split messages, slow readers",
    besides: [{ tests: "test/transports/stdio.test.ts" }, { tests: "test/mcp/fuzz.test.ts" }],
  },
  19: {
    about: "Shutdown: end of input, signals, end of the client",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  20: {
    about: "Only the protocol on standard output",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  21: {
    about: "Thousands of calls at once, some cancelled or late",
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
    about: "Slow clients over HTTP",
    besides: [
      { tests: "test/transports/http/limits.test.ts" },
      { bench: "bench/http/abuse.ts", command: "npm run bench -- http-abuse" },
    ],
  },
  24: {
    about: "Malformed requests over HTTP",
    besides: [{ tests: "test/transports/http/requests.test.ts" }],
  },
  25: {
    about: "Other hosts and pages in browsers",
    besides: [{ tests: "test/transports/http/request-headers.test.ts" }],
  },
  26: {
    about: "Shutdown of the HTTP server",
    besides: [{ tests: "test/transports/http/limits.test.ts" }],
  },
  27: {
    about: "Paths that lead out of a source",
    besides: [
      { tests: "test/sources/confined-path.test.ts" },
      { tests: "test/sources/folder-reader.test.ts" },
    ],
  },
  28: { about: "Namespaces of other callers" },
  29: { about: "Cached answers and their owners" },
  30: {
    about: "Hostile regular expressions",
    besides: [{ tests: "test/engine/text-search/text-pattern.test.ts" }],
  },
  31: { about: "Queries that look like SQL" },
  32: { about: "Content with instructions or terminal control characters" },
  33: { about: "Secrets in indexed files", besides: [{ tests: "test/scan/classify.test.ts" }] },
  34: {
    about: "Many processes that create and revoke credentials",
    besides: [{ tests: "test/credentials/faults/many-processes.test.ts" }],
  },
  35: {
    about: "Revoked credentials are refused from the next call on",
    besides: [{ partly: "Only on one machine: svc does not share credentials between machines." }],
  },
  36: {
    about: "Wrong clocks",
    besides: [{ partly: "Clocks set forward or back; no clock that runs too fast." }],
  },
  37: {
    about: "Guessed credentials",
    besides: [{ tests: "test/credentials/brute-force.test.ts" }],
  },
  38: {
    about: "Secrets of svc's own, in logs, errors and processes",
    besides: [{ tests: "test/base/redact.test.ts" }],
  },
  39: {
    about: "A tampered audit log",
    besides: [
      { tests: "test/credentials/audit/tampering.test.ts" },
      { tests: "test/credentials/audit/writers.test.ts" },
    ],
  },
  40: {
    about: "A tampered credential store",
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
          "Copies of store, anchor, log and head from one moment, restored together, agree with each other.",
      },
    ],
  },
  41: {
    about: "A keychain that is absent or locked, or that hangs",
    besides: [{ tests: "test/e2e/keychain-locked.test.ts" }],
  },
  42: {
    about: "Hours of operation",
    besides: [
      {
        partly:
          "The test judges answer times only with `--soak`, and memory from an hour on. The only session of that length (100 minutes, 120,000 queries, 23,525 edits) gave no wrong answer, held no more descriptors and was no slower at the end. It failed on memory: the minimum of a quarter rose from 447 to 514 MB, while its edits made the project four times as large. The edits no longer do that; nobody has run an hour of it since.",
      },
    ],
  },
  43: {
    about: "PostgreSQL instead of files",
    besides: [{ absent: "svc stores its index in its own files and has no such backend." }],
  },
  44: {
    about: "A repository that leads out of its folder, or blocks its reader",
    besides: [{ tests: "test/sources/git.test.ts" }, { tests: "test/sources/git-store.test.ts" }],
  },
  45: {
    about: "Roots of sources that become links or other folders",
    besides: [{ tests: "test/sources/source-root.test.ts" }],
  },
  46: {
    about: "A registry of namespaces with flipped bits, or truncated",
    besides: [{ tests: "test/sources/registry-damage.test.ts" }],
  },
  48: {
    about: "Many calls at once over HTTP",
    besides: [{ bench: "bench/http/burst.ts", command: "npm run bench -- http-burst" }],
  },
};
