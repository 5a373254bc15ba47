import type { App } from "../app.ts";
import { nearest } from "../base/nearest.ts";
import { Registry } from "../sources/registry.ts";
import type { Io } from "./io.ts";

/**
 * Says on standard error which of the namespaces do not exist yet. That is no failure: a credential
 * may be made before what it opens is indexed.
 */
export function tellUnknownNamespaces(io: Io, app: App, names: readonly string[]): void {
  const known = names.length === 0 ? undefined : namespacesOf(app);
  if (known === undefined) return;
  for (const name of names.filter((one) => !known.includes(one))) {
    const near = nearest(name, known);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    io.err(
      `svc: There is no namespace "${name}" yet; the credential opens it once it is indexed.${hint}\n`,
    );
  }
}

/** Undefined where they cannot be told: that is for the commands that need them to report. */
function namespacesOf({ settings, logger }: App): readonly string[] | undefined {
  try {
    const registry = new Registry(settings.dataDirectory);
    try {
      return registry.namespaces();
    } finally {
      registry.close();
    }
  } catch (error) {
    logger.warn("the namespaces could not be listed", { error });
    return undefined;
  }
}
