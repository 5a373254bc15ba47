import { registryFile } from "../sources/registry.ts";
import type { Check } from "./examination.ts";
import { counted, quoted, teller } from "./finding.ts";

const CHECK = "registry";
const { ok, failed } = teller(CHECK);

/** The list of namespaces and their sources can be read; it cannot be derived from anything. */
export const checkRegistry: Check = {
  name: CHECK,
  run({ settings: { dataDirectory } }, { namespaces, problem }) {
    if (problem === undefined) return [ok(counted(namespaces.length, "namespace"))];
    const file = registryFile(dataDirectory);
    return [
      failed(
        `${file} cannot be read: ${problem}`,
        `Restore it from a backup; or run \`mv ${quoted(file)} ${quoted(`${file}.damaged`)}\`, then \`svc index DIR\` for each folder.`,
      ),
    ];
  },
};
