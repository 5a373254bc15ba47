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
}

interface Run {
  /** `2026-11-22`. */
  readonly date: string;
  readonly seconds: number;
  readonly cores: number;
  readonly promises: readonly Measured[];
}

/** docs/reliability.json: the last run over everything, of each kind. */
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
    [runText("npm run test:trust", full), runText("npm run test:trust -- --soak", soak)].join("\n"),
    tableOf(full),
    ...(soak === undefined ? [] : ["### With `--soak`", tableOf(soak)]),
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
