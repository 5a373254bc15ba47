// Keeps notes on outdated documentation current while a command watches. A commit of saved changes does not change any
// file of the index, so this code checks HEAD itself.

import type { Engine } from "../engine/api/engine.ts";
import type { EngineRequest } from "../engine/api/request.ts";

/** As often as servers look. */
const LOOK_EVERY_MS = 5000;

/** Looks regularly until the signal of the request aborts. What fails is tried again when HEAD moves. */
export function keepNotesCurrent(engine: Pick<Engine, "renewNotes">, request: EngineRequest): void {
  const { signal } = request;
  if (signal.aborted) return;
  const look = (): void => void engine.renewNotes(request).catch(() => undefined);
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  look();
}
