import { describe, expect, it } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

describe("uses in JavaScript", () => {
  it("know this in functions of prototypes, of objects and of literals", async () => {
    const source = `function Queue() { this.jobs = []; }
Queue.prototype = { size() { return this.jobs.length; } };
const app = (module.exports = {});
app.start = function () { this.stop(); };
app.stop = () => 1;
const api = { url: "/", get() { return this.url; }, other: () => this.url };
`;
    const uses = await usesIn("javascript", source);
    expect(uses.filter((use) => /#|\?/.test(use))).toEqual([
      "2 value #0.jobs in Queue.size",
      "2 value #0.jobs.length in Queue.size",
      "4 call #3.stop in app.start",
      "6 value #6.url in api.get",
      "6 value ?.url in api.other",
    ]);
  });
});
