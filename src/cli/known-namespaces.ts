import type { App } from "../app.ts";
import { hasRegistry, Registry } from "../sources/registry.ts";

/** Undefined where they cannot be told: that is for the commands that need them to report. */
export function knownNamespaces(app: App): readonly string[] | undefined {
  if (!hasRegistry(app.settings.dataDirectory)) return [];
  return withRegistry(app, (registry) => registry.namespaces());
}

/** Only looks; undefined where there is no registry, or none that can be read. */
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
