import { readContext } from "./analysis/read-context.ts";
import { indexSource } from "./indexing/index-source.ts";
import { indexStatus } from "./indexing/index-status.ts";
import { searchContext } from "./search/search-context.ts";
import { searchText } from "./search/search-text.ts";
import type { Tool } from "./tool.ts";

/** Every tool, in the order of `tools/list` (product decisions, section 6). */
export const tools: readonly Tool[] = [
  searchContext,
  searchText,
  readContext,
  indexStatus,
  indexSource,
];
