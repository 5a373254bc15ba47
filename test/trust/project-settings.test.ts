// A file found inside an indexed tree never configures anything that runs, dials or leaves the root.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { SETTINGS } from "../../src/config/setting-definitions.ts";
import { output } from "../spec/credential-commands.ts";
import { createPlace, svc, type Place } from "../spec/program.ts";
import { promise } from "./promise.ts";

const CANARY = "export const outsideCanary = 1;\n";
const FILES = {
  ".gitignore": "ignored.ts\n",
  ".env": "PASSWORD=outsideCanary\n",
  ".ignore": "!.env\n!../outside/\n!.git/\n!link\n",
  "ignored.ts": CANARY,
  "plain.ts": "export const plainWord = 1;\n",
  "run.sh": "touch ran\n",
};

function project(settings: string): Place {
  const place = createPlace({ ...FILES, ".svc.toml": settings });
  onTestFinished(place.remove);
  const outside = join(dirname(place.root), "outside");
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, "canary.ts"), CANARY);
  symlinkSync(outside, join(place.root, "link"));
  return place;
}

promise(
  [10, 33],
  "no .svc.toml runs, dials, leaves the root or sets a setting of svc",
  async () => {
    const lines = [
      ...Object.keys(SETTINGS).map((name) => `${name} = "http://127.0.0.1:9/run.sh"`),
      'command = ["sh", "run.sh"]',
      'hooks = { before = "sh run.sh" }',
      'allow_roots = ["../outside"]',
      'root = "../outside"',
      "max_file_bytes = 1000000000",
      'include = ["../outside/**", "/link/**", ".env", ".git/**", "!**", "ignored.ts", "*"]',
      "[provider]",
      'url = "http://127.0.0.1:9"',
    ];
    const place = project(`${lines.join("\n")}\n`);
    const before = await output(place, "config", "list", "--json");
    const { exit, stdout, stderr } = await svc(place, "index", "--json");
    expect(exit).toBe(0);
    expect(stderr).toContain('.svc.toml", line 1: "');
    expect(JSON.parse(stdout)).toMatchObject({ source: place.root, done: true });
    const found = await svc(place, "grep", "outsideCanary", "--json");
    expect(JSON.parse(found.stdout)).toMatchObject({ matches: [] });
    expect(await output(place, "grep", "plainWord")).toContain("plain.ts");
    expect(existsSync(join(place.root, "ran"))).toBe(false);
    expect(await output(place, "config", "list", "--json")).toBe(before);
    return lines.length;
  },
);

promise(
  [10, 33],
  "an .ignore includes what git ignores, and nothing that svc refuses",
  async () => {
    const place = project("");
    writeFileSync(join(place.root, ".ignore"), `${FILES[".ignore"]}!ignored.ts\n`);
    await output(place, "index");
    const { matches } = JSON.parse(await output(place, "grep", "outsideCanary", "--json"));
    expect(matches).toMatchObject([{ path: "ignored.ts" }]);
    return 1;
  },
);
