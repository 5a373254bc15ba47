// Paths of a tree: relative to its root, with `/`, without `.` and `..`; "" is the root.

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name up to its last dot: "log" of "log.ts", "a.test" of "a.test.ts", ".env" of ".env". */
export function stemOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Where `relative` leads from a folder; undefined when that is outside of the tree. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Whether a path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** What of a path lies behind a folder that it is within. */
export function pathBelow(path: string, folder: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** Whether a path is `suffix` or has it as its last parts. */
export function endsWithParts(path: string, suffix: string): boolean {
  return (
    path.endsWith(suffix) &&
    (path.length === suffix.length || path[path.length - suffix.length - 1] === "/")
  );
}

/** The folder itself, those around it, and "" last. */
export function foldersAround(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== "";) {
    at = folderOf(at);
    folders.push(at);
  }
  return folders;
}

/** The innermost folder that two paths share. */
export function sharedFolder(a: string, b: string): string {
  let end = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (a[at] === "/") end = at;
  return a.slice(0, end);
}
