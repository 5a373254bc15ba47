import { expect, onTestFinished, test } from "vitest";

import {
  decodeMemories,
  encodeMemories,
  optionsText,
  type WalkMemory,
} from "../../src/scan/walk-memory.ts";
import { WalkRecorder } from "../../src/scan/walk-recorder.ts";
import { walk } from "../../src/scan/walk.ts";
import { tree } from "../helpers/tree.ts";

function memories(): ReadonlyMap<number, WalkMemory> {
  const { path, dispose } = tree({ "a.md": "", "größe/b.md": "", "größe/c d.md": "", "z.md": "" });
  onTestFinished(dispose);
  const recorder = new WalkRecorder(path);
  const memory = recorder.finish(optionsText({}), walk(path, { recorder }));
  if (memory === undefined) throw new Error("the walk cannot be remembered");
  return new Map([[7, memory]]);
}

test("a text has everything of the walks", () => {
  const all = memories();
  const text = encodeMemories(all, 10_000);
  expect(text).toMatch(/^[\w+/=]+$/);
  expect(decodeMemories(text ?? "")).toEqual(new Map(JSON.parse(JSON.stringify([...all]))));
  expect(all.get(7)?.files).toEqual([0, "a.md", 1, "b.md/c d.md", 0, "z.md"]);
});

test("there is no text that is longer than allowed", () => {
  expect(encodeMemories(memories(), 50)).toBeUndefined();
});

test("options with another effect have another text", () => {
  const texts = [{}, { include: ["a"] }, { exclude: ["a"] }, { maxFileBytes: 1 }].map(optionsText);
  expect(new Set([...texts, optionsText({ outsideGit: "/a" })]).size).toBe(5);
  expect(optionsText({ include: ["a"] })).toBe(optionsText({ include: ["a"] }));
});
