import type { App } from "../app.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";

/** The names of all namespaces; undefined if they cannot be read, which only commands that need them report. */
export async function knownNamespaces(app: App): Promise<readonly string[] | undefined> {
  return (await readRegistry(app))?.namespaces();
}

/** Reads the registry without changing it; undefined if it cannot be read. */
export async function readRegistry({ registry, logger }: App): Promise<RegistryState | undefined> {
  try {
    return await registry.read();
  } catch (error) {
    logger.debug("the registry could not be read", { error });
    return undefined;
  }
}
