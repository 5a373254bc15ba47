// node bench/team-partition.ts [--cuts 5] [--seconds 8]: two hosts of a team, as root. The cable of the one with the primary
// is cut while both index, at last until the standby on the other was promoted. Prints what happened. Ends with 1 for a wrong
// answer, a lost save or a difference between copies.
import { parseArgs } from "node:util";

import { teamPartition } from "./soak/team-partition.ts";

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "5" },
    seconds: { type: "string", default: "8" },
  },
});
const begun = performance.now();
const { wrong, errors, ...outcome } = await teamPartition({
  cuts: Number(values.cuts),
  cutMs: Number(values.seconds) * 1000,
});
const seconds = Math.round((performance.now() - begun) / 1000);
const counted = { ...outcome, seconds, wrong: wrong.length, errors: errors.length };
console.log(JSON.stringify(counted, null, 2));
for (const line of [...wrong, ...errors].slice(0, 40)) console.error(line);
process.exitCode = wrong.length + errors.length === 0 ? 0 : 1;
