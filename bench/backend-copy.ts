// node bench/backend-copy.ts [--home FOLDER --namespace NAME] [--kills 3]: copies an index into a PostgreSQL of its own and
// back into another data directory, kills each copy that many times at random moments, and compares the sums. Prints
// the cost of each attempt. Without --home the index is one of webpack. Ends with 1 if a sum differs.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { copyBothWays } from "./soak/backend-copies.ts";
import { createWorkspace, dataDirectoryOf } from "./workspace.ts";

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    namespace: { type: "string" },
    kills: { type: "string", default: "3" },
  },
});
const workspace = values.home === undefined ? await createWorkspace() : undefined;
try {
  const home = values.home ?? dataDirectoryOf(workspace?.env ?? {});
  const kills = Number(values.kills);
  const [first = ""] = readdirSync(join(home, "namespaces"));
  const namespace = values.namespace ?? first;
  const outcome = await copyBothWays({ home, namespace, kills });
  console.log(JSON.stringify(outcome, null, 2));
  process.exitCode = outcome.isEqual ? 0 : 1;
} finally {
  workspace?.remove();
}
