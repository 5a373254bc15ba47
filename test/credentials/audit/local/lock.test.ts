import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { AuditLock } from "../../../../src/credentials/audit/local/lock.ts";
import { tree } from "../../../helpers/tree.ts";

function lockFile(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return join(path, "audit.lock");
}

function openLock(path: string): AuditLock {
  const lock = new AuditLock(path);
  onTestFinished(() => lock.close());
  return lock;
}

test("a second holder is refused until the first has ended", () => {
  const path = lockFile();
  const [one, other] = [openLock(path), openLock(path)];
  const refusal = one.hold(0, () => {
    try {
      return other.hold(0, () => undefined);
    } catch (thrown) {
      return thrown;
    }
  });
  expect(AuditLock.isBusy(refusal)).toBe(true);
  expect(other.hold(0, () => "held")).toBe("held");
});

test("it is released when the work throws", () => {
  const path = lockFile();
  const [one, other] = [openLock(path), openLock(path)];
  expect(() =>
    one.hold(0, () => {
      throw new Error("no room");
    }),
  ).toThrow("no room");
  expect(other.hold(0, () => "held")).toBe("held");
});

// Processes that start together on a machine without a log: another process reads the file while this one writes the
// first page into it.
test("a new lock is released although another process reads its file", () => {
  const path = lockFile();
  const [one, other] = [openLock(path), openLock(path)];
  expect(statSync(path).size).toBe(0);
  const reader = new DatabaseSync(path);
  onTestFinished(() => reader.close());
  reader.exec("BEGIN");
  reader.prepare("SELECT 1 FROM sqlite_schema").get();
  expect(one.hold(0, () => "first")).toBe("first");
  expect(one.hold(0, () => "second")).toBe("second");
  expect(other.hold(0, () => "third")).toBe("third");
  reader.exec("COMMIT");
  expect(other.hold(0, () => "fourth")).toBe("fourth");
});
