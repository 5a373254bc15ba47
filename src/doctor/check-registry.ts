import { counted } from "../base/amounts.ts";
import { registryFile } from "../sources/registry/sqlite/registry-database.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { createReporter } from "./finding.ts";

const CHECK = "registry";
const { ok, failed } = createReporter(CHECK);

/** The registry of namespaces and sources can be read. It cannot be rebuilt from other data. */
export const checkRegistry: Check = {
  name: CHECK,
  run({ settings: { dataDirectory } }, { namespaces, problem }) {
    if (problem === undefined) return [ok(counted(namespaces.length, "namespace"))];
    const file = registryFile(dataDirectory);
    return [
      failed(
        `${file} cannot be read: ${problem}`,
        `Restore it from a backup; or run \`mv ${quoted(file)} ${quoted(`${file}.damaged`)}; rm -f ${quoted(`${file}-wal`)} ${quoted(`${file}-shm`)}\`, then \`svc index DIR\` for each folder.`,
      ),
    ];
  },
};
