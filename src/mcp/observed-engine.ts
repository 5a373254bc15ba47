import type { Engine } from "../engine/engine.ts";
import { isObject } from "./message.ts";

/** Wraps the engine for one call: reports the namespace of each answer to `note`. */
export function observed(engine: Engine, note: (namespace: string) => void): Engine {
  const recordNamespace = (result: unknown): void => {
    const namespace = isObject(result) ? result["namespace"] : undefined;
    if (typeof namespace === "string") note(namespace);
  };
  return new Proxy(engine, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, given);
        if (!(result instanceof Promise)) return result;
        return result.then((answer: unknown) => {
          recordNamespace(answer);
          return answer;
        });
      };
    },
  });
}
