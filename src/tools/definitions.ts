import { findReferences } from "./analysis/find-references.ts";
import { analyzeImpact } from "./analysis/analyze-impact.ts";
import { findRelated } from "./analysis/find-related.ts";
import { outline } from "./analysis/outline.ts";
import { readContext } from "./analysis/read-context.ts";
import { indexSource } from "./indexing/index-source.ts";
import { indexStatus } from "./indexing/index-status.ts";
import { listChanges } from "./monitoring/list-changes.ts";
import { setMonitor } from "./monitoring/set-monitor.ts";
import { findSymbol } from "./search/find-symbol.ts";
import { searchContext } from "./search/search-context.ts";
import { searchText } from "./search/search-text.ts";
import type { Tool } from "./tool.ts";

/** Every tool, in the order of `tools/list` (product decisions, section 6). `npm run gen` writes their descriptors to tool-listings.ts. */
export const definitions: readonly Tool[] = [
  outline,
  searchContext,
  searchText,
  findSymbol,
  readContext,
  findReferences,
  analyzeImpact,
  findRelated,
  indexStatus,
  indexSource,
  listChanges,
  setMonitor,
];
