// The command line of the bench, and its environment variables.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { SvcError } from "../../src/base/errors.ts";
import { SVC } from "../workspace.ts";
import { GROUPS, type Group } from "./manifest.ts";

export const PARTS = ["questions", "outlines", "cost"] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  /** The measured executable. */
  readonly svc: string;
  /** The folder of the documents. */
  readonly documents: string;
  /** Whether missing documents are fetched. */
  readonly fetch: boolean;
  readonly parts: readonly Part[];
  /** Only the documents and questions of these groups. */
  readonly groups: readonly Group[];
  /** Mutated documents of each format; undefined: the bench measures the documents themselves. */
  readonly fuzz: number | undefined;
  /** Number of the first mutated document, to split a run. */
  readonly from: number;
  /** Formats for `fuzz`; all if undefined. */
  readonly formats: readonly string[] | undefined;
  /** A file for the answers to each question, as JSON. */
  readonly out: string | undefined;
}

/** Throws USAGE. */
export function parseOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const values = parsed(words);
  const parts = listOf(values.part) ?? PARTS;
  return {
    svc: environment["SVC_BIN"] ?? SVC,
    documents:
      values.documents ??
      environment["SVC_BENCH_DOCUMENTS"] ??
      join(tmpdir(), "svc-bench-documents"),
    fetch: values.fetch,
    parts: parts.map((name) => oneOf("part", PARTS, name)),
    groups: (listOf(values.group) ?? GROUPS).map((name) => oneOf("group", GROUPS, name)),
    fuzz: values.fuzz === undefined ? undefined : countOf("fuzz", values.fuzz),
    from: values.from === undefined ? 0 : countOf("from", values.from),
    formats: listOf(values.format),
    out: values.out,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        documents: { type: "string" },
        fetch: { type: "boolean", default: false },
        part: { type: "string" },
        group: { type: "string" },
        fuzz: { type: "string" },
        from: { type: "string" },
        format: { type: "string" },
        out: { type: "string" },
      },
    }).values;
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function oneOf<T extends string>(flag: string, known: readonly T[], name: string): T {
  const found = known.find((one) => one === name);
  if (found === undefined) throw usage(`--${flag} is one of ${known.join(", ")}, not "${name}".`);
  return found;
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").filter((name) => name !== "");
}

function countOf(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw usage(`--${flag} is a number, not "${text}".`);
  return Number(text);
}

function usage(detail: string): SvcError {
  return new SvcError("USAGE", detail, { hint: "See bench/documents/README.md." });
}
