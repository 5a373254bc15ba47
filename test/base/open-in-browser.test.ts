import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findOpener, openInBrowser } from "../../src/base/open-in-browser.ts";
import { tree } from "../helpers/tree.ts";

/** A folder with an `xdg-open` that notes its arguments and its folder, and ends with this code. */
function opener(exit: number) {
  const place = tree({
    "bin/xdg-open": `#!/bin/sh\npwd > "$OUT"; echo "$@" >> "$OUT"; exit ${exit}\n`,
    "work/": "",
  });
  onTestFinished(place.dispose);
  const bin = join(place.path, "bin");
  chmodSync(join(bin, "xdg-open"), 0o755);
  const out = join(place.path, "out");
  const environment = { PATH: bin, DISPLAY: ":0", OUT: out };
  return { bin, work: join(place.path, "work"), out, environment };
}

test("a system program is named by its absolute path", () => {
  expect(findOpener({ platform: "darwin", environment: {} })?.program).toBe("/usr/bin/open");
  const windows = findOpener({ platform: "win32", environment: { SystemRoot: "D:\\Win" } });
  expect(windows).toEqual({
    program: "D:\\Win\\System32\\rundll32.exe",
    args: ["url.dll,FileProtocolHandler"],
  });
});

test("a relative folder in PATH is not searched, and without a desktop there is no program", () => {
  const { bin, environment } = opener(0);
  const find = (more: Readonly<Record<string, string>>) =>
    findOpener({ platform: "linux", environment: { ...environment, ...more } });
  expect(find({})?.program).toBe(join(bin, "xdg-open"));
  expect(find({ PATH: `.:bin::${bin}` })?.program).toBe(join(bin, "xdg-open"));
  expect(find({ PATH: ".:bin:" })).toBeUndefined();
  expect(find({ DISPLAY: "" })).toBeUndefined();
  expect(find({ DISPLAY: "", WAYLAND_DISPLAY: "wayland-0" })?.program).toContain("xdg-open");
});

test.runIf(process.platform !== "win32")(
  "the program gets the file in a folder of svc, and its failure is reported",
  async () => {
    const works = opener(0);
    const platform = "linux";
    const { environment } = works;
    expect(await openInBrowser("/tmp/page.html", works.work, { platform, environment })).toBe(true);
    expect(readFileSync(works.out, "utf8")).toBe(`${works.work}\n/tmp/page.html\n`);
    const fails = opener(3);
    const failing = { platform, environment: fails.environment } as const;
    expect(await openInBrowser("/tmp/page.html", fails.work, failing)).toBe(false);
    const none = { platform, environment: {} } as const;
    expect(await openInBrowser("/tmp/page.html", works.work, none)).toBe(false);
  },
);
