// The command line of the bench, and its environment variables.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { SvcError } from "../../src/base/errors.ts";
import { SVC } from "../workspace.ts";
import type { CorpusStore } from "./prepare.ts";
import { OWN_QUESTIONS } from "./questions.ts";
import type { Selection } from "./suites.ts";

export interface Options {
  /** `quality` is the default. */
  readonly mode: "quality" | "robust" | "wrong" | "compare";
  /** The measured executable. */
  readonly svc: string;
  /** Folders of questions. */
  readonly questions: readonly string[];
  readonly store: CorpusStore;
  readonly selection: Selection;
  readonly jobs: number;
  /** A file for the rows. */
  readonly out: string | undefined;
  /** Whether to use the answers from an earlier run of the executable. */
  readonly resume: boolean;
  /** The arguments after the flags: the two files for `compare`. */
  readonly files: readonly string[];
}

const GITHUB = "https://github.com";
const USAGE = "See bench/README.md, Quality.";

/** Throws USAGE. */
export function parseOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const { values, positionals: files } = parsed(words);
  const modes = (["robust", "wrong", "compare"] as const).filter((mode) => values[mode]);
  const [mode = "quality"] = modes;
  if (modes.length > 1) throw usage(`--${modes.join(" and --")} do not go together.`);
  if (files.length !== (mode === "compare" ? 2 : 0)) {
    throw usage(
      mode === "compare" ? "--compare takes two files." : `What is "${files.join(" ")}"?`,
    );
  }
  const further = values.questions ?? environment["SVC_BENCH_QUESTIONS"];
  return {
    mode,
    svc: environment["SVC_BIN"] ?? SVC,
    questions: further === undefined ? [OWN_QUESTIONS] : [OWN_QUESTIONS, further],
    store: {
      folder: values.corpora,
      mirrors: values.mirrors ?? environment["SVC_BENCH_MIRRORS"],
      remote: values.fetch ? GITHUB : undefined,
    },
    selection: {
      suites: listOf(values.suite),
      only: listOf(values.only),
      perCorpus: countOf("per-corpus", values["per-corpus"]),
    },
    jobs: countOf("jobs", values.jobs) ?? 1,
    out: values.out,
    resume: values.resume,
    files,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        questions: { type: "string" },
        mirrors: { type: "string" },
        fetch: { type: "boolean", default: false },
        corpora: { type: "string", default: join(tmpdir(), "svc-bench-corpora") },
        suite: { type: "string" },
        only: { type: "string" },
        "per-corpus": { type: "string" },
        jobs: { type: "string", default: "2" },
        out: { type: "string" },
        resume: { type: "boolean", default: false },
        compare: { type: "boolean", default: false },
        robust: { type: "boolean", default: false },
        wrong: { type: "boolean", default: false },
      },
    });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").filter((name) => name !== "");
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw usage(`--${flag} is a number from 1 on, not "${text}".`);
  return Number(text);
}

function usage(detail: string): SvcError {
  return new SvcError("USAGE", detail, { hint: USAGE });
}
