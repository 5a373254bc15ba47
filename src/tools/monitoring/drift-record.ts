// Documentation that no longer fits the code, as JSON: the structured output of list_changes with the monitor @docs, and
// the output of `svc changes --docs --json`.

import type { DriftResult } from "../../engine/api/drift.ts";

/** Leaves out members that do not apply. */
export function driftRecord(result: DriftResult): Readonly<Record<string, unknown>> {
  const { namespace, generation, statements, hasMore, checked, partial } = result;
  return {
    namespace,
    generation,
    statements: statements.map(({ path, line, section, kind, text, name, removed, became }) => ({
      path,
      line,
      ...(section === "" ? {} : { section }),
      kind,
      text,
      name,
      ...(became === "" ? {} : { became }),
      removed: {
        commit: removed.commit,
        ...(removed.authoredAt === "" ? {} : { date: removed.authoredAt }),
        subject: removed.subject,
        ...(removed.path === "" ? {} : { path: removed.path }),
      },
    })),
    has_more: hasMore,
    checked,
    ...(partial.length === 0 ? {} : { partial }),
  };
}
