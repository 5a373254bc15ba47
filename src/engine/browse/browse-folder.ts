import type { IndexReader } from "../../index/port.ts";
import type { FolderListing, FolderRequest, ListedFile } from "../api/browse.ts";
import { pathNotFound } from "../symbols/resolve-target.ts";

/**
 * Lists the files and folders directly in a folder, as the index knows them. Throws PATH_NOT_FOUND with the nearest
 * paths.
 */
export async function browseFolder(
  reader: Pick<IndexReader, "fileTree" | "file" | "version">,
  { path: asked }: FolderRequest,
): Promise<Omit<FolderListing, "namespace">> {
  const path = asked.replace(/\/+$/, "");
  const tree = await reader.fileTree();
  const folders = tree.foldersIn(path);
  const names = tree.filesIn(path);
  if (folders.length === 0 && names.length === 0 && path !== "") {
    throw await pathNotFound(reader, path);
  }
  const files: ListedFile[] = [];
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- in memory
    const row = await reader.file(path === "" ? name : `${path}/${name}`);
    if (row === undefined) continue;
    const { language, role, size, skipped } = row;
    files.push({ name, language, kind: role, bytes: size, skipped: skipped ?? "" });
  }
  return { generation: reader.version.at, path, folders, files };
}
