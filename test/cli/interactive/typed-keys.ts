import { PassThrough } from "node:stream";

export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  pageDown: "\u001b[6~",
  pageUp: "\u001b[5~",
  interrupt: "\u0003",
  end: "\u0004",
  copy: "\u0019",
  print: "\u000f",
  tab: "\t",
} as const;

/** A keyboard for tests. */
export function createKeyboard(): {
  readonly input: PassThrough;
  readonly type: (keys: string) => void;
} {
  const input = new PassThrough();
  return { input, type: (keys) => void input.write(keys) };
}
