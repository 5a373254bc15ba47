import type { Engine, IndexResult } from "../engine/engine.ts";
import type { Io } from "./io.ts";

type Report = NonNullable<IndexResult["report"]>;

interface WatchOptions {
  readonly engine: Engine;
  readonly namespace: string;
  readonly io: Io;
  readonly asJson: boolean;
}

/** Keeps a namespace fresh until the signal, and tells of each change. */
export async function watchUntil(
  signal: AbortSignal,
  { engine, namespace, io, asJson }: WatchOptions,
): Promise<void> {
  const { pid } = engine.watch(namespace, (report) => {
    if (report.added + report.changed + report.removed === 0) return;
    io.err(`${line(report)}\n`);
    if (asJson) io.out(`${JSON.stringify(record(namespace, report))}\n`);
  });
  io.err(
    pid === null || pid === process.pid
      ? `Watching "${namespace}". Ctrl-C ends it.\n`
      : `Process ${pid} watches "${namespace}" already; this one waits to take over. Ctrl-C ends it.\n`,
  );
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

/** A timer keeps the process alive meanwhile: watching by itself does not. */
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
