import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createLogger, type LogLevel } from "../../src/base/log.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The lines of a logger after `use`. */
function linesOf(
  use: (logger: ReturnType<typeof createLogger>) => void,
  { level = "debug", human = false }: { level?: LogLevel; human?: boolean } = {},
): readonly string[] {
  const lines: string[] = [];
  use(createLogger({ level, human, write: (line) => lines.push(line) }));
  return lines;
}

test("JSON lines have the time, the level, the message and the fields, in this order", () => {
  const lines = linesOf((logger) => logger.info("indexed", { namespace: "a", files: 2 }));
  expect(lines).toEqual([
    '{"time":"2026-01-02T03:04:05.678Z","level":"info","message":"indexed","namespace":"a","files":2}\n',
  ]);
});

test("text lines have the time of day, the level in five cells, the message and the fields", () => {
  const lines = linesOf(
    (logger) => {
      logger.warn("not ready", { path: "/a b", list: [1, { two: 2 }] });
      logger.debug("plain");
    },
    { human: true },
  );
  expect(lines).toEqual([
    '03:04:05.678 warn  not ready path=/a b list=[1,{"two":2}]\n',
    "03:04:05.678 debug plain\n",
  ]);
});

test.each<[LogLevel, readonly string[]]>([
  ["debug", ["debug", "info", "warn"]],
  ["info", ["info", "warn"]],
  ["warn", ["warn"]],
])("the level %s writes %j", (level, expected) => {
  const lines = linesOf(
    (logger) => {
      logger.debug("one");
      logger.info("two");
      logger.warn("three");
    },
    { level },
  );
  expect(lines.map((line): unknown => JSON.parse(line).level)).toEqual(expected);
});

test("equal messages are written each, also when the clock goes back", () => {
  const lines = linesOf((logger) => {
    for (let at = 0; at < 20; at += 1) {
      logger.info("call", { tool: "search_context" });
      vi.setSystemTime(Date.now() - 1000);
    }
    for (let at = 0; at < 20; at += 1) logger.info("call", { tool: "search_context" });
  });
  vi.runAllTimers();
  expect(lines).toHaveLength(40);
  expect(lines.join("")).not.toContain("repeated");
});

test("fields do not replace the time, the level and the message, in whatever way they are named", () => {
  const fields = { time: 1, level: 2, message: 3, type: 4, args: ["x"], date: 5, tag: 6 };
  const [line = ""] = linesOf((logger) => logger.warn("kept", fields));
  expect(JSON.parse(line)).toEqual({
    time: "2026-01-02T03:04:05.678Z",
    level: "warn",
    message: "kept",
    type: 4,
    args: ["x"],
    date: 5,
    tag: 6,
  });
});

test("secrets are masked in the message and in the fields, for people and as JSON", () => {
  const secret = `svt_${"a1B2".repeat(10)}`;
  for (const human of [true, false]) {
    const lines = linesOf((logger) => logger.info(`with ${secret}`, { token: "abc", secret }), {
      human,
    });
    expect(lines.join("")).not.toContain(secret);
    expect(lines.join("")).toContain("[redacted]");
  }
});

test("a line goes to the given writer and nowhere else", () => {
  const streams = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write")];
  const lines = linesOf((logger) => logger.warn("here"), { human: true });
  expect(lines).toHaveLength(1);
  for (const write of streams) {
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  }
});
