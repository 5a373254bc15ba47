// The watching thread, so that a storm of events does not delay queries. It reports dirty folders per namespace and
// indexes nothing. Unlike indexing threads it has normal priority: it has little to do, and on a busy machine callers
// that wait for a save or a new leader would wait for it.

import { parentPort } from "node:worker_threads";

import { WatchedSources, type DirtySourceFolders, type WatchedSource } from "./watched-sources.ts";

export type WatchCommand =
  | {
      readonly watch: number;
      readonly sources: readonly WatchedSource[];
      readonly leftOut: readonly string[];
    }
  | { readonly forget: number };

/** `id` is the number of the `watch` command. */
export type WatchEvent = { readonly id: number } & (
  | { readonly ready: { readonly folders: number } }
  | { readonly dirty: DirtySourceFolders; readonly watched: number }
  | { readonly limited: string }
);

const watched = new Map<number, WatchedSources>();

function send(event: WatchEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(event);
}

function handleCommand(command: WatchCommand): void {
  if ("forget" in command) {
    watched.get(command.forget)?.close();
    watched.delete(command.forget);
    return;
  }
  const { watch: id, sources, leftOut } = command;
  const opened = new WatchedSources(sources, leftOut, {
    onDirty: (dirty) => send({ id, dirty, watched: opened.folders }),
    onLimit: ({ message }) => {
      watched.delete(id);
      send({ id, limited: message });
    },
  });
  watched.set(id, opened);
  if (opened.open()) send({ id, ready: { folders: opened.folders } });
}

parentPort?.on("message", handleCommand);
