import { existsSync } from "node:fs";

import { toSvcError } from "../base/errors.ts";
import { catalogForm, type InspectedIndex, inspectIndex } from "../index/embedded/inspect.ts";
import type { Check } from "./check-context.ts";
import { counted, firstFew, type Finding, type Reporter, createReporter } from "./finding.ts";
import { indexCommand, type ListedNamespace } from "./inventory.ts";

const CHECK = "index";

/** Each index opens, is of this form, and (with `isDeep`) is what was written, to the last symbol. */
export const checkIndexes: Check = {
  name: CHECK,
  async run({ isDeep, signal }, { namespaces }) {
    const findings: Finding[] = [];
    for (const namespace of namespaces) {
      signal.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one index after the other: each takes memory
      findings.push(await checkIndex(namespace, isDeep));
    }
    return findings;
  },
};

async function checkIndex(namespace: ListedNamespace, isDeep: boolean): Promise<Finding> {
  const tell = createReporter(CHECK, namespace.name);
  const { layout } = namespace;
  const rebuild = `Run \`${indexCommand(namespace, "--rebuild ")}\`.`;
  if (!existsSync(layout.catalog)) {
    return tell.warning("nothing has been indexed yet", `Run \`${indexCommand(namespace)}\`.`);
  }
  try {
    const other = otherFormat(namespace, tell);
    if (other !== undefined) return other;
    return await inspectIndex(layout, (inspection) =>
      soundness(inspection, { tell, isDeep, rebuild }),
    );
  } catch (thrown) {
    const { message, code } = toSvcError(thrown);
    // SQLite's own words say more than "internal error".
    const detail = code === "INTERNAL_ERROR" && thrown instanceof Error ? thrown.message : message;
    return tell.failed(`the index cannot be read: ${detail}`, rebuild);
  }
}

function otherFormat(namespace: ListedNamespace, reporter: Reporter): Finding | undefined {
  const form = catalogForm(namespace.layout);
  switch (form) {
    case "newer":
      return reporter.failed(
        "a newer version of svc wrote it; this one cannot read it",
        `Use the newest svc; or run \`${indexCommand(namespace, "--rebuild ")}\` to go on with this one.`,
      );
    case "older":
    case "unfinished":
      return reporter.warning(
        "it is of an older version of svc, or was never finished",
        `Run \`${indexCommand(namespace)}\`, which builds it anew.`,
      );
    case "current":
      return undefined;
    default:
      return form satisfies never;
  }
}

async function soundness(
  { reader, paths }: InspectedIndex,
  { tell, isDeep, rebuild }: { tell: Reporter; isDeep: boolean; rebuild: string },
): Promise<Finding> {
  const { files, chunks, symbols } = await reader.summary();
  const extent = `generation ${reader.version.at}, ${counted(files, "file")}, ${counted(chunks, "chunk")}, ${counted(symbols, "symbol")}`;
  if (!isDeep) return tell.ok(extent);
  const damaged = await reader.verify();
  if (damaged.length > 0) return tell.failed(`damaged: ${damaged.join(", ")}`, rebuild);
  const unreadable = await unreadableFiles(reader, paths);
  if (unreadable.length > 0) {
    return tell.failed(`what it has of ${firstFew(unreadable)} cannot be read`, rebuild);
  }
  return tell.ok(`${extent}; every checksum is right, every symbol was read`);
}

async function unreadableFiles(
  reader: InspectedIndex["reader"],
  paths: readonly string[],
): Promise<readonly string[]> {
  const unreadable: string[] = [];
  for (const path of paths) {
    try {
      /* oxlint-disable no-await-in-loop -- one file after the other */
      await reader.symbolsOf(path);
      await reader.referencesOf(path);
      /* oxlint-enable no-await-in-loop */
    } catch {
      unreadable.push(path);
    }
  }
  return unreadable;
}
