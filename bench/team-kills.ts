// node bench/team-kills.ts [--kills 400] [--stalls 3]: runs machines that share a database, and kills writers, read
// nodes and the database in turn. Prints a report. Ends with 1 for a wrong answer, a lost save or a difference between
// copies.
import { parseArgs } from "node:util";

import { teamKills } from "./soak/team-kills.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "400" },
    stalls: { type: "string", default: "3" },
  },
});
const begun = performance.now();
const { wrong, errors, ...outcome } = await teamKills({
  kills: Number(values.kills),
  stalls: Number(values.stalls),
});
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(
  JSON.stringify({ ...outcome, seconds, wrong: wrong.length, errors: errors.length }, null, 2),
);
for (const line of [...wrong, ...errors].slice(0, 40)) console.error(line);
process.exitCode = wrong.length + errors.length === 0 ? 0 : 1;
