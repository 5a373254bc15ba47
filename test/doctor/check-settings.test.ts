import { expect, test } from "vitest";
import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";
import { plant } from "../helpers/tree.ts";
import { complaintsAmong, complaintsIn, findingsOn } from "./patient.ts";

test("invalid settings, which other commands refuse", async () => {
  const bare = credentialMachine();
  plant(bare.config, { "config.json": '{"namespcae":"x","color":"blue"}' });
  const found = complaintsIn(await runProgram(bare, ["doctor", "--json"]));
  expect(found.map(({ check, what }) => `${check}: ${what}`)).toEqual([
    `settings: ${bare.config}/config.json: there is no setting "namespcae".`,
    `settings: ${bare.config}/config.json: color is "blue".`,
  ]);
  expect(found[0]?.mend).toContain("svc config unset namespcae");
});

test("settings that are not JSON, which other commands refuse", async () => {
  const bare = credentialMachine();
  plant(bare.config, { "config.json": "{" });
  expect(complaintsAmong(await findingsOn(bare))).toHaveLength(1);
});
