import type { EngineCall } from "./engine-calls.ts";
import type { Middleware } from "./middleware.ts";

/** Reports the namespace of each answer to `note`. */
export function tracing(note: (namespace: string) => void): Middleware<EngineCall> {
  return async (call, next) => {
    const answer = await next(call);
    if ("namespace" in answer && typeof answer.namespace === "string") note(answer.namespace);
    return answer;
  };
}
