// Fails when a test compares times: such a test fails on a busy machine although nothing is wrong. Count work instead
// (calls, reads, bytes, the order of events), stop the timers (test/helpers/stopped-clock.ts), or measure in bench/.
// A timeout that only ends a test that hangs is fine.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Files that read a clock, and why no result depends on how busy the machine is. */
const ALLOWED: Readonly<Record<string, string>> = {
  "test/base/fixtures/new-space.ts": "the processor time is a fake one",
  "test/base/small-heap.test.ts": "the processor time is a fake one",
  "test/credentials/migrate-kills.test.ts":
    "chooses moments for kills within the time of a whole run",
  "test/helpers/index-for.ts": "chooses moments for kills within the time of a whole run",
  "test/engine/indexing/kills.test.ts": "chooses moments for kills within the time of a whole run",
  "test/engine/watching/debouncer.test.ts": "the clock is a fake one",
  "test/mcp/time-and-cancel.test.ts":
    "work that takes at least this long, for limits that are shorter",
  "test/trust/evil-patterns.test.ts":
    "processor time of the thread for one text, as a multiple of that for a quarter of it",
  "test/trust/soak.test.ts": "a session of hours, compared with its own beginning",
};

const TIME = String.raw`[\w.[\]]*(?:M[sS]|_MS|[sS]econds|elapsed|[tT]ook)\b`;
const PATTERNS: readonly RegExp[] = [
  /\bperformance\.(?:now|mark|measure)\b/,
  /\bhrtime\b/,
  /\b(?:threadC|c)puUsage\b/,
  /\bDate\.now\(\)\s*-\s*[a-z]/,
  new RegExp(String.raw`\bexpect\([^;]*${TIME}[^;]*\)(?:\.not)?\.toBe(?:Less|Greater)Than`),
  new RegExp(String.raw`\.toBe(?:Less|Greater)Than(?:OrEqual)?\(${TIME}`),
];

/** The lines that read or compare times, as `file:line text`, and entries of ALLOWED that no file needs. */
export function clockProblems(files: ReadonlyMap<string, string>): readonly string[] {
  const found = new Map(
    [...files].map(([file, text]) => [
      file,
      text
        .split("\n")
        .flatMap((line, at) =>
          PATTERNS.some((pattern) => pattern.test(line))
            ? [`${file}:${at + 1} ${line.trim()}`]
            : [],
        ),
    ]),
  );
  const refused = [...found].flatMap(([file, lines]) => (file in ALLOWED ? [] : lines));
  const stale = Object.keys(ALLOWED).filter((file) => (found.get(file)?.length ?? 0) === 0);
  return [...refused, ...stale.map((file) => `${file} reads no clock: remove it from ALLOWED`)];
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, "..");
  // A bench of vitest measures, and compares nothing.
  const names = globSync("test/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".bench.ts") && !file.endsWith("check-test-clocks.test.ts"),
  );
  const files = new Map(
    names
      .toSorted()
      .map((file) => [file.split(path.sep).join("/"), readFileSync(path.join(root, file), "utf8")]),
  );
  const problems = clockProblems(files);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
