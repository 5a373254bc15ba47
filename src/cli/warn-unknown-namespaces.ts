import type { App } from "../app.ts";
import { closestWord } from "../base/closest-word.ts";
import type { Io } from "./io.ts";
import { knownNamespaces } from "./known-namespaces.ts";

/**
 * Says on standard error which of the namespaces do not exist yet. That is no failure: a credential
 * may be made before what it opens is indexed.
 */
export function warnUnknownNamespaces(io: Io, app: App, names: readonly string[]): void {
  const known = names.length === 0 ? undefined : knownNamespaces(app);
  if (known === undefined) return;
  for (const name of names.filter((one) => !known.includes(one))) {
    const near = closestWord(name, known);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    io.err(
      `svc: There is no namespace "${name}" yet; the credential opens it once it is indexed.${hint}\n`,
    );
  }
}
