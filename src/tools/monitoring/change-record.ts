// Changes as JSON: the structured output of list_changes and the output of `svc changes --json`.

import { placeOf } from "../place-of.ts";
import type { ChangeItem, ChangesResult, SymbolChangeItem } from "../../engine/api/changes.ts";
import type { MonitorItem } from "../../engine/api/monitors.ts";

type Facts = Record<string, unknown>;

export function changesRecord(result: ChangesResult): Facts {
  const { namespace, generation, changes, nextCursor, hasMore, resetMs, compared } = result;
  return {
    namespace,
    generation,
    ...(compared === undefined ? {} : { compared }),
    ...(resetMs === undefined ? {} : { reset: true, known_since: isoTime(resetMs) }),
    changes: changes.map(changeRecord),
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}

/** Leaves out members that do not apply. */
export function changeRecord(change: ChangeItem): Facts {
  const { kind, path, oldPath, generation, atMs, symbols, moreSymbols, files, hits } = change;
  return {
    change: kind,
    path,
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
    ...(atMs === undefined ? {} : { at: isoTime(atMs) }),
    ...(generation === undefined ? {} : { generation }),
    ...(files === undefined ? {} : { files }),
    ...(symbols.length === 0 ? {} : { symbols: symbols.map(symbolRecord) }),
    ...(moreSymbols === 0 ? {} : { more_symbols: moreSymbols }),
    ...(change.isOutside ? { outside_symbols: true } : {}),
    ...(change.isWhitespace ? { whitespace_only: true } : {}),
    ...(change.isNotIndexed ? { content_not_indexed: true } : {}),
    ...(hits.length === 0
      ? {}
      : { hits: hits.map(({ monitor, detail }) => ({ monitor, ...detail })) }),
  };
}

function symbolRecord(symbol: SymbolChangeItem): Facts {
  const { change, name, kind, oldName, line, signature, users, usedBy } = symbol;
  return {
    change,
    name,
    ...(oldName === undefined ? {} : { old_name: oldName }),
    kind,
    ...(line === undefined ? {} : { line }),
    ...placeOf(symbol),
    // Leave out a signature that is only the name.
    ...(signature === "" || signature === name ? {} : { signature }),
    ...(users === undefined ? {} : { users }),
    ...(usedBy.length === 0 ? {} : { used_by: usedBy }),
  };
}

export function monitorRecord({ name, kind, question, createdAt }: MonitorItem): Facts {
  return { name, [kind]: question, created_at: createdAt };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
