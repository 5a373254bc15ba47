// Copies a tree out of node_modules, indexes the copy as the product does, and asks its questions.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { createTokenizer } from "../../src/chunk/words.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import type { Passage } from "../../src/engine/engine.ts";
import { packedGrammars } from "../../src/engine/grammars.ts";
import { runIndexJob } from "../../src/engine/indexing/indexer.ts";
import { searchPassages } from "../../src/engine/passages/search-passages.ts";
import { EmbeddedBackend } from "../../src/index/embedded-backend.ts";
import { localOwner } from "../../src/sources/caller.ts";
import { QuestionEmbedder } from "../../src/search/question-vector.ts";
import type { GoldenTree, Question, RightAnswer } from "./question.ts";

/** Answers that are looked at. */
export const DEPTH = 10;

export interface Answer extends Pick<Passage, "path" | "startLine" | "endLine" | "symbol"> {
  readonly isRight: boolean;
}

export interface Asked {
  readonly question: Question;
  /** Best first, at most `DEPTH`. */
  readonly answers: readonly Answer[];
  /** Whether they are said to be of little worth. */
  readonly isWeak: boolean;
}

const MODULES = join(import.meta.dirname, "../../node_modules");
const NAMESPACE = "golden";
/** Seconds. One time for all: which files are parsed first must not hang on when they were installed. */
const WRITTEN = 1_000_000_000;

/** Throws where a right answer is not in the tree: then the package is another, and the question out of date. */
export async function askAll(tree: GoldenTree): Promise<readonly Asked[]> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "svc-golden-")));
  const root = join(place, tree.name);
  try {
    copyTree(tree, root);
    const rights = tree.questions.map(({ right }) => right.map((one) => spanOf(one, root)));
    const sources = [
      { id: 1, namespace: NAMESPACE, root, prefix: "", include: [], exclude: [], addedAt: "" },
    ];
    const data = join(place, "data");
    await runIndexJob(
      { dataDirectory: data, namespace: NAMESPACE, sources, rebuild: false, waitMs: 0 },
      { grammars: packedGrammars, embeddings: packedEmbeddings },
    );
    const backend = new EmbeddedBackend(data);
    try {
      const reader = await backend.reader(NAMESPACE);
      if (reader === undefined) throw new Error(`${tree.name} was not indexed`);
      const embedder = new QuestionEmbedder(packedEmbeddings);
      const sight = { reader, sources, tokenizer: createTokenizer(), embedder };
      const asked: Asked[] = [];
      for (const [at, question] of tree.questions.entries()) {
        const limits = { limit: DEPTH, maxTokens: 100_000 };
        const caller = localOwner();
        const { signal } = new AbortController();
        const request = { query: question.ask, ...limits, caller, signal };
        // eslint-disable-next-line no-await-in-loop -- one question after the other, as one asks
        const { passages, isWeak } = await searchPassages(sight, request);
        const answers = passages
          .slice(0, DEPTH)
          .map((passage) => answerOf(passage, rights[at] ?? []));
        asked.push({ question, answers, isWeak });
      }
      return asked;
    } finally {
      backend.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function copyTree({ parts, without }: GoldenTree, root: string): void {
  for (const part of parts) {
    const from = join(MODULES, part);
    cpSync(from, parts.length === 1 ? root : join(root, basename(part)), {
      recursive: true,
      filter: (path) => !without.test(path.slice(from.length).replaceAll("\\", "/")),
    });
  }
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), WRITTEN, WRITTEN);
  }
}

interface Span {
  readonly path: string;
  /** 1-based; undefined where any line will do. */
  readonly line: number | undefined;
}

function spanOf({ path, line }: RightAnswer, root: string): Span {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  if (line === undefined) return { path, line: undefined };
  const found = lines.flatMap((text, at) => (text.includes(line) ? [at + 1] : []));
  if (found.length === 1) return { path, line: found[0] };
  throw new Error(`${path} has ${found.length} lines with ${JSON.stringify(line)}, not one`);
}

function answerOf({ path, startLine, endLine, symbol }: Passage, rights: readonly Span[]): Answer {
  const isRight = rights.some(
    (right) =>
      right.path === path &&
      (right.line === undefined || (startLine <= right.line && right.line <= endLine)),
  );
  return { path, startLine, endLine, symbol, isRight };
}
