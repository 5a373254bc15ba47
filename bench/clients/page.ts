// docs/clients-measured.md, from the measurements.
import { markdownTable } from "../../scripts/generate/markdown.ts";
import { CALLS } from "./calls.ts";
import type { Measured, Sent } from "./measure.ts";

export interface ClientFigures {
  readonly name: string;
  readonly version: string;
  /** Figures by measured svc; a text gives the reason for missing figures. */
  readonly measured: readonly (Measured | string)[];
}

interface Figures {
  readonly clients: readonly ClientFigures[];
  /** Names of the programs, in the order of the clients' figures. */
  readonly labels: readonly string[];
  /** Characters sent by each program. */
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
    `The published clients ran offline against a stand-in of their provider's HTTP API, which called the tools of svc by a script: ${questions} questions and ${wrong} wrong calls about ${corpus}. The stand-in recorded each result as the client sent it to its model. [bench/README.md](../bench/README.md#clients) shows how to repeat it.`,
    "## What svc sends",
    "The results of the questions as JSON, in characters, and as a multiple of their text.",
    markdownTable(
      ["results", ...labels],
      [
        ["all questions", ...sent.map(({ all }) => sentText(all))],
        ["`search_context` only", ...sent.map(({ search }) => sentText(search))],
      ],
    ),
    "## Characters that reach the model",
    `All ${questions} questions together, as the model receives them.`,
    table(({ characters }) => count(characters)),
    "`search_context` only.",
    table(({ searchCharacters }) => count(searchCharacters)),
    "Bytes of UTF-8, for all questions.",
    table(({ bytes }) => count(bytes)),
    "Results that reach the model with members of `_meta`, for all calls.",
    table(({ withMeta }) => String(withMeta)),
    "## Wrong calls with reason and remedy",
    `Number of the ${wrong} wrong calls whose result shows the model both the mistake and the correction.`,
    table(({ withRemedy }) => String(withRemedy)),
    ...missingSection(clients, labels.length - 1),
    ...(failures.length === 0 ? [] : ["## Left out", failures.join("\n")]),
  ].join("\n\n")}\n`;
}

/** By client, the wrong calls for which the last program gives no remedy. */
function missingSection(clients: readonly ClientFigures[], at: number): readonly string[] {
  const lines = clients.flatMap(({ name, measured }) => {
    const one = measured[at];
    if (one === undefined || typeof one === "string") return [];
    return one.withoutRemedy.map((text) => `${name}: ${text.replaceAll(/\s+/g, " ")}`);
  });
  if (lines.length === 0) return [];
  return [
    "The other wrong calls, with the text that the model receives. A query that is too short and an unknown namespace are JSON-RPC errors by the interface, and some clients show only their message.",
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
