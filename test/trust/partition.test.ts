// The built program on two hosts with networks of their own: the cable between the primary and its standby is cut.
import { expect } from "vitest";

import { teamPartition } from "../../bench/soak/team-partition.ts";
import { needs } from "../helpers/needs.ts";
import { promise, sized } from "./promise.ts";

const cuts = sized({ quick: 1, full: 4, soak: 20 });

needs(["postgres", "openssl", "networks"], () => {
  promise(
    [43],
    "the host of the primary is cut off, joined again, and cut off until the standby was promoted: every acknowledged save is there, no node goes on with the former primary, and all copies are equal",
    async () => {
      const cutMs = sized({ quick: 3000, full: 10_000, soak: 70_000 });
      const outcome = await teamPartition({ cuts, cutMs });
      expect([outcome.wrong.slice(0, 9), outcome.errors.slice(0, 9)]).toEqual([[], []]);
      expect(outcome).toMatchObject({ lost: 0, gaps: 0, copies: 5 });
      // Nodes on the side of the primary continue to answer, and runs on the other side are refused.
      expect(outcome.answersWhileCut).toBeGreaterThan(0);
      expect(outcome.refused).toBeGreaterThan(0);
      return cuts + 1;
    },
    cuts * 200_000 + 400_000,
  );
});
