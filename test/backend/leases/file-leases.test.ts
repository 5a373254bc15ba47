import { rmSync, utimesSync } from "node:fs";

import { onTestFinished } from "vitest";

import { fileLeases } from "../../../src/backend/leases/file-leases.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { leasesContract } from "../../contract/leases.ts";
import { tree } from "../../helpers/tree.ts";

leasesContract(() => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return {
    open: () => fileLeases(path),
    silence: (namespace) => utimesSync(indexLayout(path, namespace).heartbeat, 1000, 1000),
    drop: (namespace) => rmSync(indexLayout(path, namespace).directory, { recursive: true }),
  };
});
