import { join } from "node:path";

import { memoryBackend } from "../../src/backend/memory-backend.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { EngineOptions } from "../../src/engine/engine-options.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import type { Principal } from "../../src/sources/principal.ts";
import { tools } from "../../src/tools/registry.ts";
import type { ContentItem, ToolResult } from "../../src/tools/tool.ts";
import { indexThreads } from "./index-threads.ts";
import { LOCAL, recordingLogger, type LogEntry } from "./rpc.ts";
import { tree } from "./tree.ts";

export interface ToolAnswer {
  readonly items: readonly ContentItem[];
  /** The items' texts, one after the other. */
  readonly text: string;
  readonly outcome: ToolResult;
}

export interface Project {
  /** The workspace. */
  readonly root: string;
  /** The data directory. */
  readonly data: string;
  readonly home: string;
  readonly engine: Engine;
  readonly log: readonly LogEntry[];
  readonly tool: (name: string, input: unknown, caller?: Principal) => Promise<ToolAnswer>;
  readonly dispose: () => Promise<void>;
}

interface ProjectOptions extends Partial<EngineOptions> {
  /** Store everything in files and index in threads, as the program does. In memory by default. */
  readonly onDisk?: boolean;
}

/** A workspace with these files and an engine that serves it. Nothing is indexed yet. */
export function createProject(
  files: Parameters<typeof tree>[0],
  { onDisk = false, ...options }: ProjectOptions = {},
): Project {
  const place = tree({ "data/": "", "home/": "" });
  const workspace = tree(files);
  const { logger, entries } = recordingLogger();
  const data = join(place.path, "data");
  const backend = options.backend ?? (onDisk ? undefined : memoryBackend());
  const home = join(place.path, "home");
  const engine = createEngine({
    dataDirectory: data,
    home,
    logger,
    workspace: () => workspace.path,
    // No other thread can open a backend in memory.
    jobRunner: backend?.description.kind === "memory" ? undefined : indexThreads(),
    ...options,
    backend,
  });
  return {
    root: workspace.path,
    data,
    home,
    engine,
    log: entries,
    tool: (name, input, caller = LOCAL) => callTool(engine, { name, input, caller }),
    async dispose() {
      await engine.close();
      workspace.dispose();
      place.dispose();
    },
  };
}

async function callTool(
  engine: Engine,
  { name, input, caller: principal }: { name: string; input: unknown; caller: Principal },
): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const items: ContentItem[] = [];
  const outcome = await tool.call(input, {
    engine: () => Promise.resolve(engine),
    principal,
    signal: new AbortController().signal,
    emit: (item) => void items.push(item),
    progress: () => {},
  });
  return { items, text: items.map(({ text }) => text).join("\n"), outcome };
}

/** Common members of every request to the engine. */
export function request(principal: Principal = LOCAL): {
  principal: Principal;
  signal: AbortSignal;
} {
  return { principal, signal: new AbortController().signal };
}

export const SEARCH = { limit: 10, maxTokens: 2000 } as const;
