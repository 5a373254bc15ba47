// Converts absolute paths in requests to paths of the index: many clients write `/home/me/app/src/main.ts`.

import type { Source } from "../../sources/registry/records.ts";
import type { EngineCall } from "./engine-calls.ts";
import type { Middleware } from "./middleware.ts";

type Folder = Pick<Source, "root" | "prefix">;

/** Fields of requests that hold paths, globs over paths, or targets that begin with a path. */
const FIELDS = ["path", "target", "targets", "symbol", "near", "question"] as const;
const ABSOLUTE = /^!?(?:\/|[A-Za-z]:[\\/])/;

/** Calls that take folders of this machine. */
const TAKES_FOLDERS: ReadonlySet<EngineCall["name"]> = new Set(["index"]);

/**
 * Replaces absolute paths below a source by those of the index. Others stay, so that the call rejects them.
 * `foldersOf`: the sources of the namespace of a request; none if it is about several.
 */
export function indexPaths(
  foldersOf: (request: EngineCall["request"]) => Promise<readonly Folder[]>,
): Middleware<EngineCall> {
  return async (call, next) => {
    const given = Object.entries(call.request).filter(([name, value]) =>
      isAbsoluteField(name, value),
    );
    if (given.length === 0 || TAKES_FOLDERS.has(call.name)) return next(call);
    const folders = await foldersOf(call.request).catch((): readonly Folder[] => []);
    const changed = given.map(([name, value]: [string, unknown]) => [
      name,
      inIndex(value, folders),
    ]);
    return next({ ...call, request: { ...call.request, ...Object.fromEntries(changed) } });
  };
}

function isAbsoluteField(name: string, value: unknown): boolean {
  if (!FIELDS.some((field) => field === name)) return false;
  return [value].flat().some((one) => typeof one === "string" && ABSOLUTE.test(one));
}

function inIndex(value: unknown, folders: readonly Folder[]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => inIndex(one, folders));
  if (typeof value !== "string" || !ABSOLUTE.test(value)) return value;
  const excludes = value.startsWith("!") ? "!" : "";
  const path = value.slice(excludes.length).replaceAll("\\", "/");
  for (const { root, prefix } of folders) {
    const folder = root.replaceAll("\\", "/").replace(/\/$/, "");
    if (path === folder || path === `${folder}/`)
      return `${excludes}${prefix === "" ? "." : prefix}`;
    if (path.startsWith(`${folder}/`))
      return `${excludes}${prefix}${path.slice(folder.length + 1)}`;
  }
  return value;
}
