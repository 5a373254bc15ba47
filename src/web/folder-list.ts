import { fileAddress, writeAddress } from "./address.ts";
import { element, link } from "./dom.ts";
import { byteText } from "./file-head.ts";
import { makeVisible } from "./make-visible.ts";
import type { SearchQuery } from "./search-query.ts";
import type { FolderResponse } from "./search-response.ts";

/** The files and folders of a folder as a table. `path` is "" or ends with a slash. */
export function folderTable(
  { folders, files }: FolderResponse,
  { path, searchQuery }: { readonly path: string; readonly searchQuery: SearchQuery },
): HTMLElement {
  const nameCell = (name: string): HTMLElement => {
    const address = writeAddress({ searchQuery, file: fileAddress(`${path}${name}`) });
    return element("td", {}, link(address, {}, element("bdi", {}, makeVisible(name))));
  };
  const rows = [
    ...folders.map((name) =>
      element("tr", { class: "folder-row" }, nameCell(`${name}/`), element("td"), element("td")),
    ),
    ...files.map(({ name, language, bytes, skipped }) =>
      element(
        "tr",
        {},
        nameCell(name),
        element("td", {}, skipped === "" ? language : `not indexed: ${skipped}`),
        element("td", { class: "size" }, byteText(bytes)),
      ),
    ),
  ];
  const heads = ["Name", "Language", "Size"].map((title) => element("th", { scope: "col" }, title));
  return element(
    "table",
    { class: "folder-table" },
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  );
}
