import type { Finding, FindingState } from "../../doctor/finding.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { createStyle, type Style } from "../print/style.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Looks at the program, its data and settings, credentials, the audit log, every index and its sources, locks, limits of the system and git, and says of each what is wrong and what command mends it. Changes nothing itself, and works where other commands do not.\n\nA warning is something that svc works with.",
  flags: {
    deep: {
      type: "boolean",
      description:
        "Read everything: every checksum and symbol of the indexes, every line of the audit log.",
    },
    json: JSON_FLAG,
  },
  exitCodes: { [FAILED]: "Something failed; warnings alone are 0." },
  examples: [
    { run: "svc doctor", description: "What is wrong, and how to mend it." },
    { run: "svc doctor --deep", description: "The same, with every byte read." },
  ],
  async run({ flags }, { app, io, signal }) {
    const { runChecks } = await import("../../doctor/run-checks.ts");
    const findings = await runChecks({
      settings: app.settings,
      storeOptions: app.storeOptions,
      auditDirectories: app.auditDirectories,
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
  return `${count("failed")} failed, ${count("warning")} to be warned of, ${count("ok")} in order.`;
}
