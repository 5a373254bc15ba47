// node bench/soak.ts [--minutes 10] [--servers 8]: runs several processes on one data directory, with random edits and
// kills of the watching process and of indexing ones, and checks the answers against the files. Ends with 1 for a wrong
// answer or an error.
import { parseArgs } from "node:util";

import { manyProcesses } from "./soak/many-processes.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    servers: { type: "string", default: "8" },
  },
});

const end = performance.now() + Number(values.minutes) * 60_000;
const { edits, saves, answers, runs, kills, takeOversMs, generations, wrong, errors } =
  await manyProcesses({
    isDone: () => performance.now() > end,
    killEveryMs: 10_000,
    servers: Number(values.servers),
    files: 600,
    lagMs: 20_000,
  });
console.log(
  JSON.stringify({
    edits,
    saves,
    answers,
    runs,
    kills,
    generations,
    wrong: wrong.length,
    errors: errors.length,
    takeOversMs: takeOversMs.map(Math.round).toSorted((one, other) => one - other),
  }),
);
for (const line of [...wrong, ...errors].slice(0, 40)) console.error(line);
process.exitCode = wrong.length + errors.length === 0 ? 0 : 1;
