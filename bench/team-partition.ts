// node bench/team-partition.ts [--cuts 5] [--seconds 8]: runs two hosts of a team, as root. It cuts the cable of the
// host with the primary while both index, the last time until the standby on the other host is promoted. Prints a
// report. Ends with 1 for a wrong answer, a lost save or a difference between copies.
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
