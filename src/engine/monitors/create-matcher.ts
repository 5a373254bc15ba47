import { SvcError } from "../../base/errors.ts";
import type { EmbeddingSource } from "../../embed/embedding-source.ts";
import type { MonitorState } from "../../index/port.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import { packedEmbeddings } from "../embeddings.ts";
import { MonitorMatcher, type CompiledMonitors } from "./matcher.ts";
import type { LinePattern } from "../text-search/text-pattern.ts";

/** Creates the matcher of a run. It uses the same embeddings as the vectors of the run. */
export async function createMonitorMatcher(
  monitors: readonly Monitor[],
  state: MonitorState,
  embeddings: EmbeddingSource = packedEmbeddings,
): Promise<MonitorMatcher> {
  const needsText = monitors.some(({ kind }) => kind === "pattern" || kind === "query");
  if (!needsText) return new MonitorMatcher(monitors, state);
  return new MonitorMatcher(monitors, state, await compileMonitors(monitors, embeddings));
}

async function compileMonitors(
  monitors: readonly Monitor[],
  embeddings: EmbeddingSource,
): Promise<CompiledMonitors> {
  // The regular expression engine is large, and most runs have no monitors.
  const { compileChunkTest, compileLinePattern, monitorLanguage } =
    await import("./compile-monitor.ts");
  const language = monitorLanguage(embeddings);
  const patterns = new Map<number, LinePattern>();
  for (const { id, kind, question } of monitors) {
    if (kind !== "pattern") continue;
    try {
      patterns.set(id, compileLinePattern(question));
    } catch (thrown) {
      // A pattern that an earlier version accepted and this one does not must not stop the build of the index.
      if (!(thrown instanceof SvcError)) throw thrown;
    }
  }
  const queries: CompiledMonitors["queries"] = new Map(
    monitors
      .filter(({ kind }) => kind === "query")
      .map(({ id, question }) => [id, compileChunkTest(question, language)]),
  );
  return { patterns, queries };
}
