import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { patientWith } from "./patient.ts";
import { needs } from "../helpers/needs.ts";

const here = patientWith(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/${at}/a.md`, "# A\n"])),
);

test("files and folders that other accounts can open", async () => {
  chmodSync(here.layout.catalog, 0o644);
  chmodSync(here.layout.directory, 0o755);
  const [found, ...others] = await here.complaints();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    check: "permissions",
    state: "failed",
    mend: `Run \`chmod -R go-rwx ${here.data}\`.`,
  });
  expect(found?.what).toContain(`${here.layout.catalog} (0644)`);
  spawnSync("chmod", ["-R", "go-rwx", here.data]);
  expect(await here.complaints()).toEqual([]);
});

test("a credential folder that others can list is reported, and its mode is not changed", async () => {
  const folder = join(here.data, "credentials");
  chmodSync(folder, 0o755);
  const checks = (await here.complaints()).map(({ check, state }) => `${check} ${state}`);
  expect(checks).toEqual(["permissions failed", "credentials failed"]);
  expect(await here.complaints()).toHaveLength(2);
});

needs(["root"], () => {
  test("files of another account", async () => {
    spawnSync("chown", ["12345", here.layout.catalog]);
    const [found] = await here.complaints();
    expect(found).toMatchObject({
      check: "permissions",
      what: `${here.layout.catalog}: owned by another account`,
      mend: `Run \`sudo chown -R 0 ${here.data}\`.`,
    });
  });
});
