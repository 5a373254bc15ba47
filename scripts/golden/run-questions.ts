// Copies a tree out of node_modules, indexes the copy as the product does, and runs its queries.
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

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import type { Passage } from "../../src/engine/api/search.ts";
import { searchPassages } from "../../src/engine/passages/search-passages.ts";
import type { IndexReader } from "../../src/index/port.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { localOwner } from "../../src/sources/principal.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import type { GoldenTree, GoldenQuestion, RightAnswer } from "./question.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { runIndex } from "../../test/helpers/run-index.ts";
import { textsOf } from "../../test/helpers/texts.ts";

/** Number of answers that are checked. */
export const DEPTH = 10;

export interface GoldenResult extends Pick<Passage, "path" | "startLine" | "endLine" | "symbol"> {
  readonly isRight: boolean;
}

export interface GoldenRun {
  readonly question: GoldenQuestion;
  /** Best first, up to `DEPTH`. */
  readonly answers: readonly GoldenResult[];
  /** True if the answers are marked as weak. */
  readonly isWeak: boolean;
}

const MODULES = join(import.meta.dirname, "../../node_modules");
const NAMESPACE = "golden";
/** Seconds. All files get one time, because the order of parsing must not depend on their installation time. */
const WRITTEN = 1_000_000_000;

/** Throws if the tree lacks a right answer: the package has changed and the query is out of date. */
export async function runQuestions(tree: GoldenTree): Promise<readonly GoldenRun[]> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "svc-golden-")));
  const root = join(place, tree.name);
  try {
    copyGoldenTree(tree, root);
    const rights = tree.questions.map(({ right }) => right.map((one) => spanOf(one, root)));
    const sources = [
      { id: 1, namespace: NAMESPACE, root, prefix: "", include: [], exclude: [], addedAt: "" },
    ];
    const data = join(place, "data");
    await runIndex({
      dataDirectory: data,
      namespace: NAMESPACE,
      sources,
      rebuild: false,
      waitMs: 0,
    });
    const backend = new EmbeddedBackend(data);
    try {
      const reader = await backend.reader(authorized(NAMESPACE));
      if (reader === undefined) throw new Error(`${tree.name} was not indexed`);
      await requireWhole(tree.name, reader);
      const embedder = new QueryEmbedder(packedEmbeddings);
      const texts = textsOf(sources);
      const context = { reader, sources, texts, tokenizer: createTokenizer(), embedder };
      const runs: GoldenRun[] = [];
      for (const [at, question] of tree.questions.entries()) {
        const limits = { limit: DEPTH, maxTokens: 100_000 };
        const principal = localOwner();
        const { signal } = new AbortController();
        const request = { query: question.ask, ...limits, principal, signal };
        // eslint-disable-next-line no-await-in-loop -- one question after the other, as one asks
        const { passages, isWeak } = await searchPassages(context, request);
        const answers = passages
          .slice(0, DEPTH)
          .map((passage) => answerOf(passage, rights[at] ?? []));
        runs.push({ question, answers, isWeak });
      }
      return runs;
    } finally {
      backend.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Without the grammar of a file, the figures would be those of another index. */
export async function requireWhole(
  name: string,
  reader: Pick<IndexReader, "problemFiles">,
): Promise<void> {
  const [file] = await reader.problemFiles(1);
  if (file === undefined) return;
  throw new Error(`${name}: ${file.path} was indexed without its grammar (${file.reason})`);
}

function copyGoldenTree({ parts, without }: GoldenTree, root: string): void {
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
  /** 1-based; undefined if any line is right. */
  readonly line: number | undefined;
}

function spanOf({ path, line }: RightAnswer, root: string): Span {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  if (line === undefined) return { path, line: undefined };
  const found = lines.flatMap((text, at) => (text.includes(line) ? [at + 1] : []));
  if (found.length === 1) return { path, line: found[0] };
  throw new Error(`${path} has ${found.length} lines with ${JSON.stringify(line)}, not one`);
}

function answerOf(
  { path, startLine, endLine, symbol }: Passage,
  rights: readonly Span[],
): GoldenResult {
  const isRight = rights.some(
    (right) =>
      right.path === path &&
      (right.line === undefined || (startLine <= right.line && right.line <= endLine)),
  );
  return { path, startLine, endLine, symbol, isRight };
}
