// The built program on machines that share a PostgreSQL database, some of which are killed.
import { expect } from "vitest";

import { teamKills } from "../../bench/soak/team-kills.ts";
import { needs } from "../helpers/needs.ts";
import { promise, sized } from "./promise.ts";

const kills = sized({ quick: 9, full: 120, soak: 400 });

needs(["postgres"], () => {
  promise(
    [43],
    "writers, read nodes and the database of a team are killed in turn: every acknowledged save is there, no answer is wrong, and all copies are equal in the end",
    async () => {
      const outcome = await teamKills({ kills, stalls: sized({ quick: 0, full: 1, soak: 4 }) });
      expect([outcome.wrong.slice(0, 9), outcome.errors.slice(0, 9)]).toEqual([[], []]);
      expect(outcome.acknowledged).toBeGreaterThan(0);
      expect(outcome.answers).toBeGreaterThan(0);
      const { writer, reader, database } = outcome.kills;
      return writer + reader + database;
    },
    kills * 6000 + 240_000,
  );
});
