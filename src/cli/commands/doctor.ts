import type { Finding, FindingState } from "../../doctor/finding.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle, type Style } from "../print/style.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Checks the program, its data and settings, credentials, the audit log, every index and its sources, locks, system limits and git. Shows each problem with the command that fixes it. Changes nothing, and works even if other commands fail. svc works despite warnings.",
  flags: {
    deep: {
      type: "boolean",
      description:
        "Verify every checksum and symbol of the indexes, and every line of the audit log.",
    },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  exitCodes: { [FAILED]: "A check failed. With only warnings the exit code is 0." },
  examples: [
    { run: "svc doctor", description: "Show problems and their fixes." },
    { run: "svc doctor --deep", description: "Also read and verify every byte." },
  ],
  async run({ flags }, { app, io, signal }) {
    const { runChecks } = await import("../../doctor/run-checks.ts");
    const findings = await runChecks({
      settings: app.settings,
      sealedStore: app.sealedStore,
      credentialsOf: app.credentialsOf,
      sharedBackend: app.sharedBackend,
      isDeep: flags.deep,
      signal,
    });
    const isWell = findings.every(({ state }) => state !== "failed");
    if (flags.json) printJson(io, { ok: isWell, deep: flags.deep, findings });
    else io.out(reportOf(findings, createStyle(io.color)));
    return isWell ? 0 : FAILED;
  },
});

const COLORS: Readonly<Record<FindingState, keyof Style>> = {
  ok: "green",
  warning: "yellow",
  failed: "red",
};

function reportOf(findings: readonly Finding[], style: Style): string {
  const lines = findings.flatMap(({ state, check, namespace, what, mend }) => {
    const subject = namespace === undefined ? check : `${check} of ${namespace}`;
    const mark = style[COLORS[state]](state.padEnd(8));
    const line = `${mark} ${safeLine(`${subject}: ${what}`)}`;
    return mend === undefined ? [line] : [line, `${" ".repeat(9)}${safeLine(mend)}`];
  });
  return `${[...lines, "", summaryOf(findings)].join("\n")}\n`;
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (wanted: FindingState): number =>
    findings.filter(({ state }) => state === wanted).length;
  const warnings = count("warning");
  const errors = count("failed");
  return `${count("ok")} ok, ${warnings} warning${warnings === 1 ? "" : "s"}, ${errors} error${errors === 1 ? "" : "s"}.`;
}
