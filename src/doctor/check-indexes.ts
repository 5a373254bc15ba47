import { counted } from "../base/amounts.ts";
import { existsSync } from "node:fs";

import { toSvcError } from "../base/errors.ts";
import { catalogForm, type InspectedIndex, inspectIndex } from "../index/embedded/inspect.ts";
import type { Check } from "./check-context.ts";
import { firstFew, type Finding, type Reporter, createReporter } from "./finding.ts";
import { indexCommand, type ListedNamespace } from "./inventory.ts";

const CHECK = "index";

/** Each index opens, has the current format, and (with `isDeep`) passes all checksums and decodes all symbols. */
export const checkIndexes: Check = {
  name: CHECK,
  async run({ isDeep, signal }, { namespaces }) {
    const findings: Finding[] = [];
    for (const namespace of namespaces) {
      signal.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- sequential, to save memory
      findings.push(await checkIndex(namespace, isDeep));
    }
    return findings;
  },
};

async function checkIndex(namespace: ListedNamespace, isDeep: boolean): Promise<Finding> {
  const reporter = createReporter(CHECK, namespace.name);
  const { layout } = namespace;
  const rebuild = `Run \`${indexCommand(namespace, "--rebuild ")}\`.`;
  if (!existsSync(layout.catalog)) {
    return reporter.warning("nothing has been indexed yet", `Run \`${indexCommand(namespace)}\`.`);
  }
  try {
    const other = otherFormat(namespace, reporter);
    if (other !== undefined) return other;
    return await inspectIndex(layout, (inspection) =>
      verifyIndex(inspection, { reporter, isDeep, rebuild }),
    );
  } catch (thrown) {
    const { message, code } = toSvcError(thrown);
    // SQLite's message is more helpful than "internal error".
    const detail = code === "INTERNAL_ERROR" && thrown instanceof Error ? thrown.message : message;
    return reporter.failed(`the index cannot be read: ${detail}`, rebuild);
  }
}

function otherFormat(namespace: ListedNamespace, reporter: Reporter): Finding | undefined {
  const form = catalogForm(namespace.layout);
  switch (form) {
    case "newer":
      return reporter.failed(
        "written by a newer version of svc; this version cannot read it",
        `Update svc, or run \`${indexCommand(namespace, "--rebuild ")}\` to rebuild it with this version.`,
      );
    case "older":
    case "unfinished":
      return reporter.warning(
        "written by an older version of svc, or never finished",
        `Run \`${indexCommand(namespace)}\`, which rebuilds it.`,
      );
    case "current":
      return undefined;
    default:
      return form satisfies never;
  }
}

async function verifyIndex(
  { reader, paths }: InspectedIndex,
  { reporter, isDeep, rebuild }: { reporter: Reporter; isDeep: boolean; rebuild: string },
): Promise<Finding> {
  const { files, chunks, symbols } = await reader.summary();
  const extent = `generation ${reader.version.at}, ${counted(files, "file")}, ${counted(chunks, "chunk")}, ${counted(symbols, "symbol")}`;
  if (!isDeep) return reporter.ok(extent);
  const damaged = await reader.verify();
  if (damaged.length > 0) return reporter.failed(`damaged: ${damaged.join(", ")}`, rebuild);
  const unreadable = await unreadableFiles(reader, paths);
  if (unreadable.length > 0) {
    return reporter.failed(`its data of ${firstFew(unreadable)} cannot be read`, rebuild);
  }
  return reporter.ok(`${extent}; all checksums and symbols verified`);
}

async function unreadableFiles(
  reader: InspectedIndex["reader"],
  paths: readonly string[],
): Promise<readonly string[]> {
  const unreadable: string[] = [];
  for (const path of paths) {
    try {
      /* oxlint-disable no-await-in-loop -- sequential */
      await reader.symbolsOf(path);
      await reader.referencesOf(path);
      /* oxlint-enable no-await-in-loop */
    } catch {
      unreadable.push(path);
    }
  }
  return unreadable;
}
