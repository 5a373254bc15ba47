import { describe, expect, it } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

describe("types in JavaScript", () => {
  it("come from JSDoc comments", async () => {
    const source = `/**
 * @param {Queue} queue
 * @param {?Job[]} [jobs]
 * @returns {Promise<Result>}
 */
function run(queue, jobs) { queue.push(jobs[0].name); }
/** @type {import("./x").Y} */
let one = make();
/** @type {Log | null} */
const log = open();
log.info(one.z);
`;
    const uses = await usesIn("javascript", source);
    expect(uses.filter((use) => use.includes("@"))).toEqual([
      "6 call @Queue.push in run",
      "6 value @Job.name in run",
    ]);
    expect(await typesIn("javascript", source)).toEqual(["run @Result", "one make()", "log @Log"]);
  });
});
