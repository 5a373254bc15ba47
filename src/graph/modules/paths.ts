// Paths in a project: relative to its root, with `/`, without `.` and `..`. "" is the root.

/** Returns the folder of a path; "" for a path in the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the name up to its last dot: "log" for "log.ts", "a.test" for "a.test.ts", ".env" for ".env". */
export function stemOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** A part of a path that is empty, or stands for a folder: `.` or `..`. */
const RELATIVE_PART = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Resolves `relative` from a folder. Undefined if the result is outside of the project. */
export function joinPath(folder: string, relative: string): string | undefined {
  if (!RELATIVE_PART.test(relative)) return inFolder(folder, relative);
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Returns whether a path is the folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns the path relative to a folder that contains it. */
export function pathBelow(path: string, folder: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** Returns whether a path is `suffix` or ends in its parts. */
export function endsWithParts(path: string, suffix: string): boolean {
  return (
    path.endsWith(suffix) &&
    (path.length === suffix.length || path[path.length - suffix.length - 1] === "/")
  );
}

/** Returns the folder, its parents, and "" last. */
export function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== "";) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
}

/** Returns the innermost folder that contains both paths. */
export function sharedFolder(a: string, b: string): string {
  let end = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === "/") end = at;
  return a.slice(0, end);
}
