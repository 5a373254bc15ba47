import type { App } from "../app.ts";
import { hasRegistry, Registry } from "../sources/registry.ts";

/** The names of all namespaces; undefined if they cannot be read, which only commands that need them report. */
export function knownNamespaces(app: App): readonly string[] | undefined {
  if (!hasRegistry(app.settings.dataDirectory)) return [];
  return withRegistry(app, (registry) => registry.namespaces());
}

/** Reads the registry without changing it; undefined if there is none or it cannot be read. */
export function withRegistry<Result>(
  { settings, logger }: App,
  read: (registry: Registry) => Result,
): Result | undefined {
  try {
    const registry = new Registry(settings.dataDirectory, "look");
    try {
      return read(registry);
    } finally {
      registry.close();
    }
  } catch (error) {
    logger.debug("the registry could not be read", { error });
    return undefined;
  }
}
