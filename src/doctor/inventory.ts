// The content of the registry, read once for all checks.

import { indexLayout, type IndexLayout } from "../index/embedded/layout.ts";
import { quoted } from "../base/quoted.ts";
import { readRegistryState } from "../backend/open-registry.ts";
import type { LastRun, Source } from "../sources/registry/records.ts";

export interface ListedNamespace {
  readonly name: string;
  readonly layout: IndexLayout;
  readonly sources: readonly Source[];
  readonly lastRun: LastRun | undefined;
}

export interface Inventory {
  readonly namespaces: readonly ListedNamespace[];
  /** Why an existing registry cannot be read. */
  readonly problem: string | undefined;
}

/** The command that updates the index, with these flags. It names a source, or it would index the working directory. */
export function indexCommand({ name, sources }: ListedNamespace, flags = ""): string {
  const [source] = sources;
  if (source === undefined) return `svc namespaces remove ${name}`;
  const { root, url, ref } = source;
  const place = url === undefined ? root : `${url}${ref === undefined ? "" : `#${ref}`}`;
  return `svc index ${flags}${quoted(place)} --namespace ${name}`;
}

/** Never throws. */
export async function readInventory(dataDirectory: string): Promise<Inventory> {
  try {
    const listed = await readRegistryState({ kind: "embedded", dataDirectory });
    const namespaces = listed.namespaces().map((name) => ({
      name,
      layout: indexLayout(dataDirectory, name),
      sources: listed.sources(name),
      lastRun: listed.lastRun(name),
    }));
    return { namespaces, problem: undefined };
  } catch (thrown) {
    return { namespaces: [], problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
