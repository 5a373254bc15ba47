// Results depend on the content of the files, and not on the clock.
import { utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, vi } from "vitest";

import { request } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { promise } from "../promise.ts";
import { answersOf, NAMESPACE, runOver } from "./queried-index.ts";

const YEAR_S = 365 * 24 * 3600;

promise(
  [36],
  "a clock set a year back or ahead, and files with future times, hide no change from the index",
  async () => {
    const { path: root, dispose } = tree();
    const data = tree();
    const nowMs = Date.now();
    onTestFinished(() => {
      vi.useRealTimers();
      dispose();
      data.dispose();
    });
    let cases = 0;
    let clockMs = nowMs;
    for (const [clock, time] of [
      [0, 0],
      [-YEAR_S, -YEAR_S],
      [0, YEAR_S],
      [YEAR_S, YEAR_S],
      [-YEAR_S, YEAR_S],
      [YEAR_S, -YEAR_S],
      [0, 0],
    ] as const) {
      clockMs += 1;
      vi.useFakeTimers({ toFake: ["Date"], now: clockMs + clock * 1000 });
      const word = `turn${cases}`;
      plant(root, { "a.ts": `export function ${word}(): number {\n  return 1;\n}\n` });
      const atS = nowMs / 1000 + time + cases * 0.001;
      utimesSync(join(root, "a.ts"), atS, atS);
      // oxlint-disable-next-line no-await-in-loop -- one moment after the other
      await runOver(root, data.path);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { symbol } = await answersOf(root, data.path, {
        symbol: async (to) =>
          to.findSymbols({ name: word, limit: 5, ...request(), namespace: NAMESPACE }),
      });
      expect([clock, time, symbol]).toEqual([clock, time, expect.stringContaining(`"${word}"`)]);
      expect(symbol).toContain('"changed":false');
      cases += 1;
    }
    return cases;
  },
);
