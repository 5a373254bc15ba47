// Masks secrets in all answers of the engine, unless the owner asked to see them. The text of files is masked where
// it is read; this masks the rest: names, paths and messages of git.

import { SvcError } from "../../base/errors.ts";
import { maskSecrets } from "../../base/mask-secrets.ts";
import type { EngineCall } from "./engine-calls.ts";
import type { Middleware } from "./middleware.ts";

/** svc makes these values; a mask would break them. */
const OPAQUE_FIELDS: ReadonlySet<string> = new Set(["nextCursor", "cursor", "since"]);
/** These also hold text of files, which is masked already. */
const UNMASKED_FIELDS: ReadonlySet<string> = new Set([
  ...OPAQUE_FIELDS,
  "text",
  "lines",
  "signals",
]);

/** Calls whose answers show text of files. */
const TEXT_CALLS: ReadonlySet<EngineCall["name"]> = new Set([
  "search",
  "searchText",
  "read",
  "file",
]);

/** Masks the secrets in each answer and error. */
export const masking: Middleware<EngineCall> = async (call, next) => {
  try {
    const answer = await next(call);
    const skippedFields = TEXT_CALLS.has(call.name) ? UNMASKED_FIELDS : OPAQUE_FIELDS;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- same shape: only strings are replaced
    return new AnswerMasker(skippedFields).mask(answer) as object;
  } catch (thrown) {
    throw maskedProblem(thrown);
  }
};

/** Masks each different string of an answer once: in the matches of a file, its path and symbols are repeated. */
class AnswerMasker {
  readonly #skippedFields: ReadonlySet<string>;
  readonly #known = new Map<string, string>();

  constructor(skippedFields: ReadonlySet<string>) {
    this.#skippedFields = skippedFields;
  }

  /** A copy with masked strings, or `value` itself when it has no secret. */
  mask(value: unknown): unknown {
    if (typeof value === "string") return this.#maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const shown = value.map((one: unknown) => this.mask(one));
      return shown.some((one, at) => one !== value[at]) ? shown : value;
    }
    if (value instanceof Map) {
      return new Map(
        Array.from(value, ([key, one]: [unknown, unknown]) => [this.mask(key), this.mask(one)]),
      );
    }
    let copy: Record<string, unknown> | undefined;
    for (const [key, one] of Object.entries(value)) {
      if (this.#skippedFields.has(key)) continue;
      const shown = this.mask(one);
      const shownKey = this.#maskText(key);
      if (shown === one && shownKey === key) continue;
      copy ??= { ...value };
      if (shownKey !== key) delete copy[key];
      copy[shownKey] = shown;
    }
    return copy ?? value;
  }

  #maskText(text: string): string {
    let shown = this.#known.get(text);
    if (shown === undefined) {
      shown = maskSecrets(text);
      this.#known.set(text, shown);
    }
    return shown;
  }
}

/** Errors may quote names, such as the nearest one. */
function maskedProblem(thrown: unknown): unknown {
  if (!(thrown instanceof SvcError)) return thrown;
  const { code, message, hint, cause, retryAfter, data } = thrown;
  const shown = { message: maskSecrets(message), hint: hint && maskSecrets(hint) };
  if (shown.message === message && shown.hint === hint) return thrown;
  return new SvcError(code, shown.message, { hint: shown.hint, cause, retryAfter, data });
}
