// The engine as everybody sees it but an owner who asked for secrets: the last look at its answers. Text of files
// has been masked where it was read; names, paths and messages of git come from elsewhere.

import { SvcError } from "../base/errors.ts";
import { maskSecrets } from "../base/mask-secrets.ts";
import type { Engine } from "./engine.ts";

/** Made by svc: a mask would only break them. */
const OURS: ReadonlySet<string> = new Set(["nextCursor", "cursor", "since"]);
/** Text of files as well, where it has been masked. */
const OURS_AND_READ: ReadonlySet<string> = new Set([...OURS, "text", "lines", "signals"]);

export function maskedEngine(engine: Engine): Engine {
  return {
    ...engine,
    search: masking(engine.search, OURS_AND_READ),
    searchText: masking(engine.searchText, OURS_AND_READ),
    read: masking(engine.read, OURS_AND_READ),
    findSymbols: masking(engine.findSymbols),
    outline: masking(engine.outline),
    references: masking(engine.references),
    related: masking(engine.related),
    impact: masking(engine.impact),
    changes: masking(engine.changes),
    monitors: masking(engine.monitors),
    monitorHits: masking(engine.monitorHits),
    index: masking(engine.index),
    status: masking(engine.status),
  };
}

function masking<Request, Answer>(
  ask: (request: Request) => Promise<Answer>,
  left = OURS,
): (request: Request) => Promise<Answer> {
  return async (request) => {
    try {
      const answer = await ask(request);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the same form: only texts are replaced
      return masked(answer, left) as Answer;
    } catch (thrown) {
      throw maskedProblem(thrown);
    }
  };
}

/** Itself, where there is no secret in it. */
function masked(value: unknown, left: ReadonlySet<string>): unknown {
  if (typeof value === "string") return maskSecrets(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const shown = value.map((one: unknown) => masked(one, left));
    return shown.some((one, at) => one !== value[at]) ? shown : value;
  }
  if (value instanceof Map) {
    return new Map(
      Array.from(value, ([key, one]: [unknown, unknown]) => [masked(key, left), masked(one, left)]),
    );
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(value)) {
    if (left.has(key)) continue;
    const shown = masked(one, left);
    const shownKey = maskSecrets(key);
    if (shown === one && shownKey === key) continue;
    copy ??= { ...value };
    if (shownKey !== key) delete copy[key];
    copy[shownKey] = shown;
  }
  return copy ?? value;
}

/** Errors name what is nearest. */
function maskedProblem(thrown: unknown): unknown {
  if (!(thrown instanceof SvcError)) return thrown;
  const { code, message, hint, cause, retryAfter, data } = thrown;
  const shown = { message: maskSecrets(message), hint: hint && maskSecrets(hint) };
  if (shown.message === message && shown.hint === hint) return thrown;
  return new SvcError(code, shown.message, { hint: shown.hint, cause, retryAfter, data });
}
