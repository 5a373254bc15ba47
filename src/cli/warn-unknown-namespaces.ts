import type { App } from "../app.ts";
import { closestWord } from "../base/closest-word.ts";
import type { Io } from "./io.ts";
import { knownNamespaces } from "./known-namespaces.ts";

/**
 * Warns on standard error about namespaces that do not exist yet. That is not an error: a credential may be created
 * before its namespace is indexed.
 */
export async function warnUnknownNamespaces(
  io: Io,
  app: App,
  names: readonly string[],
): Promise<void> {
  const known = names.length === 0 ? undefined : await knownNamespaces(app);
  if (known === undefined) return;
  for (const name of names.filter((one) => !known.includes(one))) {
    const near = closestWord(name, known);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    io.err(
      `svc: There is no namespace "${name}" yet; the credential works once it is indexed.${hint}\n`,
    );
  }
}
