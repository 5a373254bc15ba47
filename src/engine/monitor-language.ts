import { createTokenizer } from "../chunk/words.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { WatchKeeper } from "../index/backend.ts";
import { QuestionEmbedder } from "../search/question-vector.ts";
import type { Monitor } from "../sources/monitors.ts";
import { MonitorWatch } from "./monitor-watch.ts";
import { packedEmbeddings } from "./embeddings.ts";

/** The monitors of a run, which compare meanings with the table that its vectors are made with. */
export function monitorWatch(
  monitors: readonly Monitor[],
  keeper: WatchKeeper,
  embeddings: EmbeddingSource | undefined,
): MonitorWatch {
  return new MonitorWatch(monitors, keeper, () => ({
    tokenizer: createTokenizer(),
    embedder: new QuestionEmbedder(embeddings ?? packedEmbeddings),
  }));
}
