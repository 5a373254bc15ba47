import { spawnSync } from "node:child_process";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { plant } from "../helpers/tree.ts";
import { patientWith } from "./patient.ts";

const here = patientWith(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/${at}/a.md`, "# A\n"])),
);

test("files left by killed processes", async () => {
  const old = new Date(Date.now() - 3_600_000);
  const draft = join(here.config, "data.key.0123456789ab.tmp");
  plant(here.layout.segments, { "seg-dead.4711.tmp": "half", "seg-dead": "whole, not published" });
  plant(here.data, { "namespaces/ghost/catalog.db": "", "removed/0123/catalog.db": "" });
  writeFileSync(draft, "");
  for (const path of [draft, join(here.data, "namespaces/ghost")]) utimesSync(path, old, old);
  spawnSync("chmod", ["-R", "go-rwx", here.data]);
  const found = await here.complaints();
  expect(found.map(({ check, state, mend }) => [check, state, mend])).toEqual([
    ["leftovers", "warning", `Run \`rm ${draft}\`.`],
    [
      "leftovers",
      "warning",
      `Run \`svc index ${here.root} --namespace project\`, which removes them.`,
    ],
    ["leftovers", "warning", `Run \`rm -r ${join(here.data, "namespaces/ghost")}\`.`],
    ["leftovers", "warning", "Run `svc status`, which continues the deletion."],
  ]);
  await here.json("index", here.root, "--namespace", "project");
  await here.json("status");
  rmSync(draft);
  rmSync(join(here.data, "namespaces/ghost"), { recursive: true });
  expect(await here.complaints()).toEqual([]);
});
