// docs/clients-measured.md, from what was measured.
import { markdownTable } from "../../scripts/generate/markdown.ts";
import { CALLS } from "./calls.ts";
import type { Measured, Sent } from "./measure.ts";

export interface ClientFigures {
  readonly name: string;
  readonly version: string;
  /** By the svc that was measured; a text says why there are no figures. */
  readonly measured: readonly (Measured | string)[];
}

interface Figures {
  readonly clients: readonly ClientFigures[];
  /** Of the programs, in the order of the clients' figures. */
  readonly labels: readonly string[];
  /** By each program. */
  readonly sent: readonly { readonly all: Sent; readonly search: Sent }[];
  readonly corpus: string;
}

export function measuredPage({ clients, labels, sent, corpus }: Figures): string {
  const wrong = CALLS.filter(({ remedy }) => remedy !== undefined).length;
  const questions = CALLS.length - wrong;
  const table = (value: (of: Measured) => string): string =>
    markdownTable(
      ["client", "version", ...labels],
      clients.map(({ name, version, measured }) => [
        name,
        version,
        ...measured.map((one) => cell(one, value)),
      ]),
    );
  const failures = clients.flatMap(({ name, measured }) =>
    measured.flatMap((one) => (typeof one === "string" ? [`- ${name}: ${one}`] : [])),
  );
  return `${[
    "<!-- Written by `node bench/clients/run.ts`; run that instead of editing. -->",
    "# What the models of clients receive",
    `The published clients ran offline against a stand-in of their provider's HTTP API, which called the tools of svc by a script: ${questions} questions and ${wrong} wrong calls about ${corpus}. The stand-in kept each result as the client put it before its model. [bench/README.md](../bench/README.md#clients) says how to repeat it.`,
    "## What svc sends",
    "The results of the questions as JSON, in characters, and how many times their text that is.",
    markdownTable(
      ["results", ...labels],
      [
        ["all questions", ...sent.map(({ all }) => sentText(all))],
        ["`search_context` only", ...sent.map(({ search }) => sentText(search))],
      ],
    ),
    "## Characters before the model",
    `Of all ${questions} questions together, as the model is given them.`,
    table(({ characters }) => count(characters)),
    "Of `search_context` only.",
    table(({ searchCharacters }) => count(searchCharacters)),
    "In bytes of UTF-8, of all questions.",
    table(({ bytes }) => count(bytes)),
    "Results that the model is given with members of `_meta`, of all calls.",
    table(({ withMeta }) => String(withMeta)),
    "## Wrong calls with reason and remedy",
    `Of ${wrong} wrong calls, those whose result shows the model what was wrong and what would be right.`,
    table(({ withRemedy }) => String(withRemedy)),
    ...missingSection(clients, labels.length - 1),
    ...(failures.length === 0 ? [] : ["## Left out", failures.join("\n")]),
  ].join("\n\n")}\n`;
}

/** The wrong calls that the last program leaves without a remedy, by client. */
function missingSection(clients: readonly ClientFigures[], at: number): readonly string[] {
  const lines = clients.flatMap(({ name, measured }) => {
    const one = measured[at];
    if (one === undefined || typeof one === "string") return [];
    return one.withoutRemedy.map((text) => `${name}: ${text.replaceAll(/\s+/g, " ")}`);
  });
  if (lines.length === 0) return [];
  return [
    "What is left, and what the model is given for it. A query that is too short and an unknown namespace are JSON-RPC errors by the interface, of which some clients show only the message.",
    `\`\`\`text\n${lines.join("\n")}\n\`\`\``,
  ];
}

function cell(one: Measured | string, value: (of: Measured) => string): string {
  return typeof one === "string" ? "–" : value(one);
}

function sentText({ json, text }: Sent): string {
  return `${count(json)} (${(json / text).toFixed(2)})`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
