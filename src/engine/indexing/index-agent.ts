// The process of a large indexing run: one job from the parent, then progress, and the report or the failure. It ends with
// the run, or with its parent.

import { productVersion } from "../../base/assets.ts";
import { runFailure } from "./run-failure.ts";
import { IndexThreadPool } from "./thread-pool.ts";
import type { AgentCommand, AgentMessage } from "./index-process.ts";

/** Resolves when the parent has the message, or has ended. */
function send(message: AgentMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, {}, () => resolve());
  });
}

async function work({ job }: AgentCommand): Promise<void> {
  const pool = new IndexThreadPool();
  try {
    const listener = {
      onProgress: (progress: AgentProgress) => void send({ progress }),
      onCommit: () => void send({ committed: true }),
    };
    const report = await pool.run(job, listener, new AbortController().signal);
    await send({ report });
  } catch (thrown) {
    await send({ failure: runFailure(thrown) });
  } finally {
    await pool.close();
    if (process.connected) process.disconnect();
  }
}

type AgentProgress = Extract<AgentMessage, { progress: unknown }>["progress"];

void send({ version: productVersion() });
process.once("message", (command: AgentCommand) => void work(command));
// Ctrl-C in a terminal also goes to this process. The parent decides when it ends.
process.on("SIGINT", () => {});
process.once("disconnect", () => {
  // oxlint-disable-next-line no-restricted-properties -- the parent waits for no more, or has ended
  process.exit();
});
