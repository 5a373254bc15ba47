import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLogger } from "../../src/base/log.ts";
import type { QueryService } from "../../src/engine/query-service.ts";
import { memoryCommits } from "../../src/index/commits/memory-commits.ts";
import type { IndexReader } from "../../src/index/port.ts";
import type { Source } from "../../src/sources/registry/records.ts";
import { RegistryState } from "../../src/sources/registry/registry-state.ts";
import { NO_RECORDS } from "../../src/sources/registry/records.ts";
import { localTexts } from "../../src/sources/text/local-texts.ts";
import { authorized } from "./authorized.ts";

type Parts = ConstructorParameters<typeof QueryService>[0];

/** The parts of a query service over one index, without an engine around it. No query of it waits for changes. */
export function queryParts(
  reader: () => Promise<IndexReader>,
  sources: readonly Source[],
): Parts & { readonly backend: Parts["backend"] } {
  const namespace = authorized("project");
  const index = {
    watch: () => {
      throw new Error("no query here waits for changes");
    },
  };
  return {
    dataDirectory: join(tmpdir(), "svc-without-dependencies"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- queries only use its readers
    backend: {
      description: { kind: "memory" },
      index,
      texts: localTexts(),
      commits: memoryCommits(),
    } as unknown as Parts["backend"],
    indexes: {
      use: async (_request, _how, use) => use({ namespace, reader: await reader(), sources }),
      anyReader: reader,
    },
    namespaces: {
      state: async () => new RegistryState(NO_RECORDS),
      displaySources: async () => sources,
      authorize: async () => namespace,
      visible: async () => [namespace],
      ofWorkspace: async () => namespace,
      isDependency: () => false,
    },
    runs: {
      building: () => undefined,
      refresh: async () => undefined,
      refreshStale: () => undefined,
    },
    logger: silentLogger,
  };
}
