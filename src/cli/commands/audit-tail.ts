import { BACKEND_FLAG, defineCommand } from "../command.ts";
import { safeLine } from "../print/safe-text.ts";

const POLL_MS = 250;

export const command = defineCommand({
  description:
    "Shows calls and changes of credentials. The line of a call has its time, caller, tool, namespace, outcome, duration in ms, and the number of items and characters of the answer. `svc audit verify` checks that the lines are genuine.",
  flags: {
    lines: {
      type: "integer",
      default: 20,
      min: 0,
      max: 100_000,
      short: "n",
      placeholder: "N",
      description: "Number of lines to show.",
    },
    follow: { type: "boolean", short: "f", description: "Print new lines as they are written." },
    backend: BACKEND_FLAG,
    json: { type: "boolean", description: "Print each line as JSON." },
  },
  examples: [
    {
      run: "svc audit tail --follow",
      description: "Show the last lines, and new ones as they come.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const printTail = (lines: readonly string[]): void => {
      for (const line of lines) io.out(`${flags.json ? safeLine(line) : humanLine(line)}\n`);
    };
    const audit = await app.credentials.auditReader();
    let tail = await audit.tail(flags.lines);
    if (tail === undefined) io.err("Nothing has been audited on this machine yet.\n");
    printTail(tail?.lines ?? []);
    while (flags.follow && !signal.aborted) {
      await pause(signal);
      tail = tail === undefined ? await audit.tail(Infinity) : await audit.since(tail.next);
      printTail(tail?.lines ?? []);
    }
  },
});

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Columns have the width of usual values, because later lines are not known yet. */
function humanLine(text: string): string {
  const fields = fieldsOf(text);
  if (fields === undefined) return safeLine(text);
  const of = (name: string): string => {
    const value = fields[name];
    return value === undefined || value === null
      ? "-"
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  };
  const isCall = fields["event"] === "call";
  const what = isCall
    ? [
        of("tool").padEnd(16),
        of("namespace").padEnd(16),
        of("outcome").padEnd(10),
        `${of("ms")} ms`.padStart(8),
        `${of("items")} items`.padStart(9),
        `${of("characters")} chars`.padStart(12),
      ]
    : [of("event").padEnd(16), of("credential").padEnd(20), restOf(fields)];
  const time = of("time").slice(0, 19).replace("T", " ");
  const shown = [
    time,
    of("principal").padEnd(20),
    ...what,
    ...(isCall && "query" in fields ? [of("query")] : []),
  ];
  return safeLine(shown.join("  ")).trimEnd();
}

const SHOWN = new Set([
  "seq",
  "time",
  "event",
  "principal",
  "credential",
  "outcome",
  "mac",
  "previous",
]);

function restOf(fields: Readonly<Record<string, unknown>>): string {
  const rest = Object.entries(fields).filter(([name]) => !SHOWN.has(name));
  return rest
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    return Object.fromEntries(Object.entries(value));
  } catch {
    return undefined;
  }
}
