import type { Engine } from "../engine/api/engine.ts";
import type { IndexResult } from "../engine/api/index-source.ts";
import type { Principal } from "../sources/principal.ts";
import type { Io } from "./io.ts";
import { keepNotesCurrent } from "./keep-notes-current.ts";

type Report = NonNullable<IndexResult["report"]>;

interface WatchOptions {
  readonly engine: Engine;
  readonly principal: Principal;
  readonly namespace: string;
  readonly io: Io;
  readonly asJson: boolean;
}

/** Keeps a namespace up to date until the signal, and reports each change. */
export async function watchUntil(
  signal: AbortSignal,
  { engine, principal, namespace, io, asJson }: WatchOptions,
): Promise<void> {
  const { pid } = await engine.watch(namespace, (report) => {
    if (report.added + report.changed + report.removed === 0) return;
    io.err(`${line(report)}\n`);
    if (asJson) io.out(`${JSON.stringify(record(namespace, report))}\n`);
  });
  io.err(
    pid === null || pid === process.pid
      ? `Watching "${namespace}". Press Ctrl-C to stop.\n`
      : `Process ${pid} already watches "${namespace}"; this process waits to take over. Press Ctrl-C to stop.\n`,
  );
  keepNotesCurrent(engine, { namespace, principal, signal });
  await aborted(signal);
}

function line({ added, changed, removed, elapsedMs }: Report): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${time} ${added} added, ${changed} changed, ${removed} removed, ${elapsedMs} ms`;
}

function record(namespace: string, report: Report): Record<string, unknown> {
  const { generation, added, changed, removed, elapsedMs } = report;
  return { namespace, generation, added, changed, removed, took_ms: elapsedMs };
}

/** Resolves when the signal aborts. A timer keeps the process alive until then; a watcher does not. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => {}, 3_600_000);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}
