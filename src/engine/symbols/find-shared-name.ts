// Finds the places of a shared name that a request gives: `GET /users/{id}`, `env:PORT`, `table:orders`, or a bare name.

import { SvcError } from "../../base/errors.ts";
import type { SharedPlace, SharedReferences } from "../../graph/shared-references.ts";
import { routeOf, SHARED_KINDS, type SharedKind } from "../../parse/shared-names/shared-name.ts";

/** A shared name and its places, sorted by path and line. */
export interface FoundSharedName {
  readonly kind: SharedKind;
  readonly name: string;
  readonly declared: readonly SharedPlace[];
  readonly used: readonly SharedPlace[];
}

interface SharedQuery {
  readonly kind: SharedKind;
  readonly name: string;
}

/** Returns whether a request can only mean a shared name, not a symbol or a file. */
export function namesSharedOnly(text: string): boolean {
  return /^(?:env|route|table):.|^[A-Z]{3,7} \/|^\/[^/]/.test(text);
}

/** Throws SYMBOL_NOT_FOUND for a name that can be no symbol and no file: `GET /users`, `env:PORT`. */
export function requireNoSharedName(text: string): void {
  const isRoute = /^(?:[A-Z]{3,7} |route:)/.test(text);
  if (!isRoute && !/^(?:env|table):/.test(text)) return;
  const [, name = text] = /^\w+:(.+)$/.exec(text) ?? [];
  const what = isRoute ? "route" : text.startsWith("env:") ? "environment variable" : "table";
  throw new SvcError("SYMBOL_NOT_FOUND", `No ${what} "${name}" is known.`, {
    hint: isRoute
      ? "`search_text` (or `svc grep`) with a part of its path finds routes that code builds."
      : "`search_text` (or `svc grep`) with its name finds it in any text.",
  });
}

/** Returns the places of the name; undefined if the project has none. */
export async function findSharedName(
  shared: Pick<SharedReferences, "placesOf">,
  text: string,
): Promise<FoundSharedName | undefined> {
  for (const { kind, name } of queriesOf(text)) {
    // oxlint-disable-next-line no-await-in-loop -- the first that has places is meant
    const places = await shared.placesOf(kind, name);
    if (places.length === 0) continue;
    const declared = places.filter(({ isDeclared }) => isDeclared);
    return { kind, name, declared, used: places.filter(({ isDeclared }) => !isDeclared) };
  }
  return undefined;
}

function queriesOf(text: string): readonly SharedQuery[] {
  const { kind, rest = text } = /^(?<kind>\w+):(?<rest>.+)$/.exec(text)?.groups ?? {};
  const named = SHARED_KINDS.find((one) => one === kind);
  const kinds = named === undefined ? SHARED_KINDS : [named];
  const value = named === undefined ? text : rest;
  return kinds.flatMap((one) => nameFor(one, value) ?? []);
}

function nameFor(kind: SharedKind, value: string): SharedQuery | undefined {
  if (kind === "env") return /^[A-Za-z_]\w*$/.test(value) ? { kind, name: value } : undefined;
  if (kind === "table") {
    return /^[\w.]+$/.test(value)
      ? { kind, name: value.replace(/^.*\./, "").toLowerCase() }
      : undefined;
  }
  const { method, path = "" } =
    /^(?:(?<method>[A-Za-z]{3,7}) )?(?<path>\/\S+)$/.exec(value)?.groups ?? {};
  const name = routeOf(method, path);
  return name === undefined ? undefined : { kind, name };
}
