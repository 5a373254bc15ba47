import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import { MONITOR_KINDS, type MonitorKind } from "../../sources/registry/records.ts";
import { boundedText, namespace } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { monitorRecord } from "./change-record.ts";

const question = v.optional(boundedText(10_000));

export const setMonitor = defineTool({
  name: "set_monitor",
  title: "Set monitor",
  group: "monitoring",
  description:
    "Watch future changes for one query, RE2 pattern, symbol or path glob; list_changes has the hits.",
  readOnly: false,
  input: {
    action: v.picklist(["create", "list", "delete"], "must be create, list or delete"),
    name: v.optional(boundedText(64)),
    query: question,
    pattern: question,
    symbol: question,
    path: question,
    namespace,
  },
  hasOutput: true,
  async run({ action, name, namespace: of, ...asked }, { engine, principal, signal, emit }) {
    const opened = await engine();
    const request = { action, name, question: questionOf(asked), namespace: of, principal, signal };
    const result = await opened.monitors(request);
    const structured = {
      namespace: result.namespace,
      action,
      monitors: result.monitors.map(monitorRecord),
      ...(action === "create" ? { watching: result.isWatching } : {}),
    };
    emit({ text: JSON.stringify(structured) });
    return { structured };
  },
});

/** The given query of a monitor; undefined without one. Throws INVALID_PARAMS for several. */
export function questionOf(
  candidates: Readonly<Partial<Record<MonitorKind, string | undefined>>>,
): { readonly kind: MonitorKind; readonly text: string } | undefined {
  const given = MONITOR_KINDS.flatMap((kind) => {
    const text = candidates[kind];
    return text === undefined ? [] : [{ kind, text }];
  });
  if (given.length <= 1) return given[0];
  const names = given.map(({ kind }) => kind).join(" and ");
  throw new SvcError("INVALID_PARAMS", `A monitor has one query, but ${names} are given.`, {
    hint: "Create a monitor for each.",
  });
}
