import { memoryTexts, type MemoryFiles } from "../../../src/sources/text/memory-texts.ts";
import { textsContract } from "../../contract/texts.ts";
import { keepDocument } from "../../helpers/keep-document.ts";
import { authorized } from "../../helpers/authorized.ts";

textsContract(() => {
  const files = new Map<string, { bytes: Buffer; mtimeMs: number }>();
  const store = memoryTexts((): MemoryFiles => files);
  return {
    open: () => store.open(authorized("project"), []),
    write: (path, bytes, mtimeMs) => void files.set(path, { bytes, mtimeMs }),
    remove: (path) => void files.delete(path),
    writeDocument: (path, bytes, text) => {
      files.set(path, { bytes, mtimeMs: 1_700_000_000_000 });
      if (text !== undefined) keepDocument(store.archiveOf(authorized("project")), bytes, text);
    },
  };
});
