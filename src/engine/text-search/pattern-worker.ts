// The worker thread that tests lines too long for the main thread. It can be terminated at any moment.

import { parentPort, workerData } from "node:worker_threads";

import { RE2JS } from "re2js";

export interface PatternWorkerData {
  readonly source: string;
  readonly flags: number;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by LongLineWorker
const { source, flags } = workerData as PatternWorkerData;
const expression = RE2JS.compile(source, flags);

parentPort?.on("message", (line: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(expression.test(line));
});
