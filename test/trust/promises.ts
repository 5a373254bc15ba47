// The list of what is to be proven, by number, and what proves it besides the tests marked by `promise`, which
// are found by themselves. docs/reliability.md is made of it.

/** What proves a number besides: tests that count no cases, a bench; why there is nothing, and what is not tried of it. */
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
    about: "Killed while it indexes (SIGKILL)",
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
    about: "Bits that flip, files that are cut or swapped",
    besides: [
      { tests: "test/index/segment/segment-flips.test.ts" },
      { tests: "test/credentials/faults/damage.test.ts" },
      { tests: "test/doctor/indexes.test.ts" },
    ],
  },
  4: {
    about: "A disk that is full, descriptors that run out",
    besides: [
      { tests: "test/credentials/faults/full-disk.test.ts" },
      { tests: "test/index/storage/storage-fault.test.ts" },
    ],
  },
  5: { about: "A disk that says it could not write (fsync)" },
  6: {
    about: "A data directory or project that can only be read",
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
    about: "A tree that changes while it is read",
    besides: [{ tests: "test/scan/walk.test.ts" }],
  },
  10: {
    about: "Pipes, sockets, devices, links of every kind",
    besides: [{ tests: "test/scan/walk.test.ts" }, { tests: "test/sources/confined-path.test.ts" }],
  },
  11: {
    about: "Files that are huge, binary or misnamed; names that are no text",
    besides: [{ tests: "test/scan/read-text-file.test.ts" }, { tests: "test/scan/walk.test.ts" }],
  },
  12: { about: "What may not be read", besides: [{ tests: "test/scan/walk.test.ts" }] },
  13: {
    about: "A million files; more folders than can be watched",
    besides: [
      { tests: "test/doctor/surroundings.test.ts" },
      { bench: "bench/scan.ts", command: "npm run bench -- scan" },
      { partly: "A million with `--soak`, 200,000 without." },
    ],
  },
  14: { about: "Branches checked out over and over" },
  15: {
    about: "Messages that are none, over standard input",
    besides: [
      { tests: "test/spec/stdio.test.ts" },
      { tests: "test/transports/stdio-process.test.ts" },
    ],
  },
  16: { about: "A line without end", besides: [{ tests: "test/transports/stdio.test.ts" }] },
  17: { about: "Random messages", besides: [{ tests: "test/mcp/fuzz.test.ts" }] },
  18: {
    about: "Messages in pieces, readers that are slow",
    besides: [{ tests: "test/transports/stdio.test.ts" }, { tests: "test/mcp/fuzz.test.ts" }],
  },
  19: {
    about: "The end: of input, by signals, of the client",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  20: {
    about: "Nothing but the protocol on standard output",
    besides: [{ tests: "test/transports/stdio-process.test.ts" }],
  },
  21: {
    about: "Thousands of calls at once, cancelled and late ones",
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
    about: "Clients that dawdle over HTTP",
    besides: [
      { tests: "test/transports/http/limits.test.ts" },
      { bench: "bench/http/abuse.ts", command: "npm run bench -- http-abuse" },
    ],
  },
  24: {
    about: "Requests that are none, over HTTP",
    besides: [{ tests: "test/transports/http/requests.test.ts" }],
  },
  25: {
    about: "Other hosts and pages in browsers",
    besides: [{ tests: "test/transports/http/request-headers.test.ts" }],
  },
  26: {
    about: "A server that is told to end",
    besides: [{ tests: "test/transports/http/limits.test.ts" }],
  },
  27: {
    about: "Paths that lead out of a source",
    besides: [
      { tests: "test/sources/confined-path.test.ts" },
      { tests: "test/sources/folder-reader.test.ts" },
    ],
  },
  28: { about: "Namespaces of others" },
  29: { about: "Answers that are kept, and whose they are" },
  30: {
    about: "Regular expressions that would take for ever",
    besides: [{ tests: "test/engine/text-search/text-pattern.test.ts" }],
  },
  31: { about: "Questions that look like SQL" },
  32: { about: "Content that gives orders or plays with the terminal" },
  33: { about: "Secrets in what is indexed", besides: [{ tests: "test/scan/classify.test.ts" }] },
  34: {
    about: "Many processes that create and revoke",
    besides: [{ tests: "test/credentials/faults/many-processes.test.ts" }],
  },
  35: {
    about: "Revoked means refused, from the next call on",
    besides: [{ partly: "On one machine: svc does not share credentials between several." }],
  },
  36: {
    about: "Clocks that are wrong",
    besides: [
      { partly: "Clocks that are set forward or back; none that runs faster than time does." },
    ],
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
    about: "An audit log that was tampered with",
    besides: [
      { tests: "test/credentials/audit/tampering.test.ts" },
      { tests: "test/credentials/audit/writers.test.ts" },
    ],
  },
  40: {
    about: "A credential store that was tampered with",
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
          "Copies of store, anchor, log and head from one moment, put back together, agree with each other.",
      },
    ],
  },
  41: {
    about: "A keychain that is absent, locked or hangs",
    besides: [{ tests: "test/e2e/keychain-locked.test.ts" }],
  },
  42: {
    about: "Hours of work",
    besides: [
      {
        partly:
          "Times of answers are judged with `--soak` alone, and memory from an hour on. The one session of that length (100 minutes, 120,000 questions, 23,525 edits) gave no wrong answer, held no more descriptors and was no slower at the end, and failed on memory: the least of a quarter rose from 447 to 514 MB, while its edits made the project four times as large. They no longer do; an hour of that has not been run.",
      },
    ],
  },
  43: {
    about: "PostgreSQL in the place of files",
    besides: [{ absent: "svc keeps its index in files of its own and has no such backend." }],
  },
  44: {
    about: "A repository that leads out of its folder, or keeps its reader waiting",
    besides: [{ tests: "test/sources/git.test.ts" }, { tests: "test/sources/git-store.test.ts" }],
  },
  45: {
    about: "Roots of sources that become links or other folders",
    besides: [{ tests: "test/sources/source-root.test.ts" }],
  },
  46: {
    about: "A registry of namespaces whose bits flip, or that is cut",
    besides: [{ tests: "test/sources/registry-damage.test.ts" }],
  },
  48: {
    about: "Many calls at once over HTTP",
    besides: [{ bench: "bench/http/burst.ts", command: "npm run bench -- http-burst" }],
  },
};
