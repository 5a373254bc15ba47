import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { needs } from "../helpers/needs.ts";

const root = join(import.meta.dirname, "../..");
const pages = globSync("man/*.1", { cwd: root });

needs(["mandoc"], () => {
  test("mandoc finds nothing to remark on in any page", () => {
    expect(pages.length).toBeGreaterThan(30);
    const { stdout, stderr } = spawnSync("mandoc", ["-Tlint", "-W", "style", ...pages], {
      cwd: root,
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
  });
});

test("the page of the program has what readers look for, and names every other page", () => {
  const page = readFileSync(join(root, "man/svc.1"), "utf8");
  const headings = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(
    ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES"].concat([
      "EXAMPLES",
      "SEE ALSO",
    ]),
  );
  for (const path of pages.filter((name) => name !== "man/svc.1")) {
    const name = path.slice("man/".length, -".1".length).replaceAll("-", "\\-");
    expect(page.split(".SH COMMANDS")[1]).toContain(`.BR ${name} (1)`);
  }
});

needs(["mandoc"], () => {
  test("an option is shown with its values and its default", () => {
    const text = execFileSync("mandoc", ["-Tascii", "-Owidth=78", "man/svc-search.1"], {
      cwd: root,
      encoding: "utf8",
    }).replaceAll(/.[\b]/g, "");
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "-n, --limit N Maximum number of files, each with up to four passages (from 1 to 50; default 10).",
    );
    expect(text).toContain('svc search "where are tokens revoked"');
  });
});
