import { SvcError } from "../../base/errors.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { WatchKeeper } from "../../index/backend.ts";
import type { Monitor } from "../../sources/monitors.ts";
import { packedEmbeddings } from "../embeddings.ts";
import { MonitorWatch, type CompiledQuestions } from "./monitor-watch.ts";
import type { LinePattern } from "../text-search/text-pattern.ts";

/** The monitors of a run, which compare meanings with the table that its vectors are made with. */
export async function monitorWatch(
  monitors: readonly Monitor[],
  keeper: WatchKeeper,
  embeddings: EmbeddingSource = packedEmbeddings,
): Promise<MonitorWatch> {
  const asksText = monitors.some(({ kind }) => kind === "pattern" || kind === "query");
  if (!asksText) return new MonitorWatch(monitors, keeper);
  return new MonitorWatch(monitors, keeper, await compiled(monitors, embeddings));
}

async function compiled(
  monitors: readonly Monitor[],
  embeddings: EmbeddingSource,
): Promise<CompiledQuestions> {
  // The engine of patterns is large, and most runs have no monitors.
  const { chunkTest, linePattern, questionLanguage } = await import("./monitor-question.ts");
  const language = questionLanguage(embeddings);
  const patterns = new Map<number, LinePattern>();
  for (const { id, kind, question } of monitors) {
    if (kind !== "pattern") continue;
    try {
      patterns.set(id, linePattern(question));
    } catch (thrown) {
      // One that an earlier program took, and this one does not, must not keep the index from being built.
      if (!(thrown instanceof SvcError)) throw thrown;
    }
  }
  const queries: CompiledQuestions["queries"] = new Map(
    monitors
      .filter(({ kind }) => kind === "query")
      .map(({ id, question }) => [id, chunkTest(question, language)]),
  );
  return { patterns, queries };
}
