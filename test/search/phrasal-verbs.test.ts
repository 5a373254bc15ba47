import { expect, test } from "vitest";

import { nounsOf } from "../../src/search/phrasal-verbs.ts";

test.each<[string, string, readonly string[]]>([
  ["backed", "up", ["backup", "backeup"]],
  ["logged", "in", ["loggin", "login"]],
  ["timed", "out", ["timout", "timeout"]],
  ["shutting", "down", ["shuttdown", "shutdown"]],
  ["Rolls", "back", ["rollback"]],
  ["set", "up", ["setup"]],
  ["pass", "on", ["passon"]],
  ["backed", "by", []],
  ["is", "in", []],
  ["c3", "up", []],
])("%s %s makes %j", (verb, particle, nouns) => {
  expect(nounsOf(verb, particle)).toEqual(nouns);
});
