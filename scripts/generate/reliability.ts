// docs/reliability.md: the promises under faults and abuse, their tests, and the results of the last run.
import type { SUBJECTS } from "../../test/trust/promises.ts";
import { codeBlock, markdownPage } from "./markdown.ts";
import type { PromiseTest } from "./promises.ts";

/** One promise in one run. */
export interface Measured {
  readonly ids: readonly number[];
  readonly promise: string;
  /** Path from the root of the project, with `/`. */
  readonly file: string;
  readonly cases: number;
  readonly failures: number;
  /** Absent if it was not recorded. */
  readonly seconds?: number;
}

export interface Run {
  /** `2026-11-22`. */
  readonly date: string;
  readonly seconds: number;
  readonly cores: number;
  readonly promises: readonly Measured[];
}

/** docs/reliability.json: the last run over everything, and the last run of each file with `--soak`. */
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
    "This page lists the promises of svc under faults and abuse, and the results of their tests. Every test is real: it kills processes, fills disks, damages files and moves clocks. [SECURITY.md](../SECURITY.md) explains the promises.",
    codeBlock(
      "npm run test:trust             # all tests, in less than 15 minutes on two cores\nnpm run test:trust -- --soak   # the same for hours",
      "sh",
    ),
    "`npm test` also runs each of these tests, with fewer cases. `svc doctor` detects on your machine the faults that the tests cause: a damaged index or store, a full disk, system limits.",
    "## Last results",
    [runText("npm run test:trust", full), soakText(soak)].join("\n"),
    "Each promise has the numbers of its faults, which [Faults](#faults) lists, and its test.",
    (full?.promises ?? []).map((one) => `- ${promiseText(one)}`).join("\n"),
    ...(soak === undefined ? [] : ["### With `--soak`", soakList(soak)]),
    "## Faults",
    "Each fault has its tests and benches. The number of cases is that of the last complete run. It is missing if the tests are newer than that run or count no cases.",
    Object.entries(subjects)
      .map(([id, subject]) => faultText(Number(id), subject, { tests, full }))
      .join("\n"),
  ]);
}

function runText(command: string, run: Run | undefined): string {
  if (run === undefined) return `- \`${command}\`: no complete run yet.`;
  return `- \`${command}\`: ${run.date}, ${totals(run)}, ${run.seconds} s on ${run.cores} cores.`;
}

/** The numbers of promises, cases and failures of a run. */
function totals({ promises }: Run): string {
  const sum = (of: (one: Measured) => number): number =>
    promises.reduce((total, one) => total + of(one), 0);
  const cases = counted(
    sum((one) => one.cases),
    "case",
  );
  const failures = counted(
    sum((one) => one.failures),
    "failure",
  );
  return `${counted(promises.length, "promise")}, ${cases}, ${failures}`;
}

/** A soak takes hours and may run in parts. */
function soakText(run: Run | undefined): string {
  if (run === undefined) return "- `npm run test:trust -- --soak`: not yet run.";
  const { seconds, date, cores } = run;
  return `- \`npm run test:trust -- --soak\`: the promises of the second list, the last of them on ${date}: ${totals(run)}, ${(seconds / 3600).toFixed(1)} hours of tests on ${cores} cores.`;
}

function soakList({ promises }: Run): string {
  return promises
    .map((one) => `- ${promiseText(one)} ${((one.seconds ?? 0) / 60).toFixed(1)} minutes.`)
    .join("\n");
}

/** `1 failure`, `1,995 cases`. */
function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function promiseText({ ids, promise, cases, failures, file }: Measured): string {
  const first = promise.startsWith("svc ") ? "s" : promise.charAt(0).toUpperCase();
  const sentence = `${first}${promise.slice(1).replace(/\.$/, "")}.`;
  return `**${ids.join(", ")}.** ${sentence} ${counted(cases, "case")}, ${counted(failures, "failure")}, ${link(file)}.`;
}

/** One entry of the list of faults: its name, then its tests, figures and limits. */
function faultText(
  id: number,
  { about, otherEvidence = [] }: Subjects[number],
  { tests, full }: { readonly tests: readonly PromiseTest[]; readonly full: Run | undefined },
): string {
  const promised = new Set(tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file));
  const others = otherEvidence.flatMap((one) => ("tests" in one ? [one.tests] : []));
  const benches = otherEvidence.flatMap((one) => ("bench" in one ? [one] : []));
  const remarks = otherEvidence.flatMap((one) =>
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
  const proofs = [...files, ...benches.map(({ bench }) => bench)];
  return [
    `- **${id}. ${about}**`,
    ...proofs.map((proof) => `  - ${link(proof)}`),
    ...(cases === 0 ? [] : [`  - ${counted(cases, "case")}`]),
    ...(commands.length === 0
      ? []
      : [`  - Run with ${commands.map((command) => `\`${command}\``).join(", ")}.`]),
    ...remarks.map((remark) => `  - ${remark}`),
  ].join("\n");
}

function link(file: string): string {
  return `[${file.replace(/^test\//, "").replace(/\.test\.ts$/, "")}](../${file})`;
}

function amount(number: number): string {
  return number.toLocaleString("en");
}
