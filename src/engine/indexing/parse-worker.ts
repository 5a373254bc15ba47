// A parsing thread: parses files for the indexing thread, until that thread closes the port between them.

import { workerData, type MessagePort } from "node:worker_threads";

import type { SourceRoot } from "../../sources/source-root.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { buffersOf, detached, FileParser, type FileResult, type FileTask } from "./file-parser.ts";
import { lowerPriority } from "./thread-priority.ts";

export interface ParseWorkerData {
  readonly port: MessagePort;
}

/** The first message. */
export interface ParseSetup {
  /** By id. */
  readonly sources: ReadonlyMap<number, SourceRoot>;
  /** One cell, which grows with each reply: the indexing thread may sleep until then. */
  readonly replies: SharedArrayBuffer;
  readonly keepsRawBytes: boolean;
  readonly hasLowPriority: boolean;
}

export type ParseCommand =
  | { readonly setup: ParseSetup }
  | { readonly batch: number; readonly tasks: readonly FileTask[] };

export interface ParseReply {
  readonly batch: number;
  /** Of each task, in their order. */
  readonly results: readonly FileResult[];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by IndexThreadPool
const { port } = workerData as ParseWorkerData;
let setup: ParseSetup | undefined;
let parser: FileParser | undefined;
let last = Promise.resolve();

function begin(options: ParseSetup): void {
  setup = options;
  if (options.hasLowPriority) lowerPriority();
  parser = new FileParser(options.sources, packedGrammars);
}

async function work(batch: number, tasks: readonly FileTask[]): Promise<void> {
  if (parser === undefined || setup === undefined) throw new Error("the setup comes first");
  const results: FileResult[] = [];
  for (const task of tasks) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    results.push(detached(await parser.parse(task), setup.keepsRawBytes));
  }
  // The indexing thread parses these files again, and has the failure with all its consequences.
  if (parser.isBroken) port.close();
  else port.postMessage({ batch, results } satisfies ParseReply, results.flatMap(buffersOf));
  const replies = new Int32Array(setup.replies);
  Atomics.add(replies, 0, 1);
  Atomics.notify(replies, 0);
}

port.on("message", (command: ParseCommand) => {
  if ("setup" in command) begin(command.setup);
  else last = last.then(() => work(command.batch, command.tasks));
});
