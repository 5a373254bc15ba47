// docs/reliability.md: what is promised, how it is tried, and what came of it the last time.
import type { SUBJECTS } from "../../test/trust/promises.ts";
import { codeBlock, markdownPage, markdownTable } from "./markdown.ts";
import type { PromiseTest } from "./promises.ts";

/** One promise in one run. */
export interface Measured {
  readonly ids: readonly number[];
  readonly promise: string;
  /** Path from the root of the project, with `/`. */
  readonly file: string;
  readonly cases: number;
  readonly failures: number;
  /** Absent where it was not kept. */
  readonly seconds?: number;
}

export interface Run {
  /** `2026-11-22`. */
  readonly date: string;
  readonly seconds: number;
  readonly cores: number;
  readonly promises: readonly Measured[];
}

/** docs/reliability.json: the last run over everything, and of each file the last one with `--soak`. */
export interface Results {
  readonly full?: Run;
  readonly soak?: Run;
}

type Subjects = typeof SUBJECTS;

export function reliabilityPage(
  subjects: Subjects,
  tests: readonly PromiseTest[],
  { full, soak }: Results,
): string {
  return markdownPage("test/trust/promises.ts and docs/reliability.json", [
    "# Reliability",
    "What svc promises under faults and abuse, how that is tried, and what came of it the last time. Every test here is real: processes are killed, disks fill up, files are damaged, clocks are moved. What is promised in plain words stands in [SECURITY.md](../SECURITY.md).",
    codeBlock(
      "npm run test:trust             # everything, below 15 minutes on two cores\nnpm run test:trust -- --soak   # the same for hours",
      "sh",
    ),
    "Each of these tests runs in every `npm test` as well, with fewer cases. `svc doctor` finds on a user's machine what is tried here: a damaged index or store, a full disk, limits of the system.",
    "## Last results",
    [runText("npm run test:trust", full), soakText(soak)].join("\n"),
    tableOf(full),
    ...(soak === undefined ? [] : ["### With `--soak`", soakTableOf(soak)]),
    "## By number",
    "Numbers are those of the list of trust tests; a file stands where its tests count no cases.",
    markdownTable(
      ["no.", "what happens", "proven by", "cases", "run with"],
      Object.entries(subjects).map(([id, subject]) => rowOf(Number(id), subject, { tests, full })),
    ),
  ]);
}

function runText(command: string, run: Run | undefined): string {
  if (run === undefined) return `- \`${command}\`: not yet run over everything.`;
  const cases = run.promises.reduce((sum, one) => sum + one.cases, 0);
  const failures = run.promises.reduce((sum, one) => sum + one.failures, 0);
  return `- \`${command}\`: ${run.date}, ${run.promises.length} promises, ${amount(cases)} cases, ${failures} failures, ${run.seconds} s on ${run.cores} cores.`;
}

/** It takes hours, and may be run in parts. */
function soakText(run: Run | undefined): string {
  if (run === undefined) return "- `npm run test:trust -- --soak`: not yet run.";
  const { promises, seconds, date, cores } = run;
  const sum = (of: (one: Measured) => number): string =>
    amount(promises.reduce((total, one) => total + of(one), 0));
  const counts = `${promises.length} promises, ${sum(({ cases }) => cases)} cases, ${sum(({ failures }) => failures)} failures`;
  return `- \`npm run test:trust -- --soak\`: those of the second table, the last of them on ${date}: ${counts}, ${(seconds / 3600).toFixed(1)} hours of tests on ${cores} cores.`;
}

function soakTableOf({ promises }: Run): string {
  return markdownTable(
    ["no.", "promise", "cases", "failures", "minutes", "test"],
    promises.map(({ ids, promise, cases, failures, seconds = 0, file }) => [
      ids.join(", "),
      promise,
      amount(cases),
      String(failures),
      (seconds / 60).toFixed(1),
      link(file),
    ]),
  );
}

function tableOf(run: Run | undefined): string {
  if (run === undefined) return "";
  return markdownTable(
    ["no.", "promise", "cases", "failures", "test"],
    run.promises.map(({ ids, promise, cases, failures, file }) => [
      ids.join(", "),
      promise,
      amount(cases),
      String(failures),
      link(file),
    ]),
  );
}

function rowOf(
  id: number,
  { about, besides = [] }: Subjects[number],
  { tests, full }: { readonly tests: readonly PromiseTest[]; readonly full: Run | undefined },
): readonly string[] {
  const promised = new Set(tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file));
  const others = besides.flatMap((one) => ("tests" in one ? [one.tests] : []));
  const benches = besides.flatMap((one) => ("bench" in one ? [one] : []));
  const remarks = besides.flatMap((one) =>
    "absent" in one ? [one.absent] : "partly" in one ? [one.partly] : [],
  );
  const files = [...promised, ...others.filter((file) => !promised.has(file))];
  const measured = (full?.promises ?? []).filter(({ ids }) => ids.includes(id));
  const cases = measured.reduce((sum, one) => sum + one.cases, 0);
  const commands = [
    ...(promised.size > 0 ? ["npm run test:trust"] : []),
    ...(promised.size === 0 && others.length > 0 ? ["npm test"] : []),
    ...benches.map(({ command }) => command),
  ];
  return [
    String(id),
    about,
    [...[...files, ...benches.map(({ bench }) => bench)].map(link), ...remarks].join(", "),
    cases === 0 ? "" : amount(cases),
    commands.map((command) => `\`${command}\``).join(", "),
  ];
}

function link(file: string): string {
  return `[${file.replace(/^test\//, "").replace(/\.test\.ts$/, "")}](../${file})`;
}

function amount(number: number): string {
  return number.toLocaleString("en");
}
