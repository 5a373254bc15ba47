import { expect, test } from "vitest";

import { onItsOwnDisk } from "../disk.ts";
import { needs } from "../../helpers/needs.ts";

const READ_ONLY =
  "CREDENTIAL_STORE: The credential store can only be read here. Its directories, or the disk they are on, cannot be " +
  "written to: make them writable, or choose others with SERVICE_HOME and SERVICE_CONFIG_HOME.";
const FULL =
  "STORAGE_FULL: The disk that holds the credential store is full. Free some space, and try again.";
const READ = { names: ["one"], found: "one", isDefault: true, principal: "one" };

needs(["namespaces"], () => {
  test("a store on a read-only disk is read, and reports that it cannot be written", async () => {
    const expected = { ...READ, isReadOnly: true, readOnly: true, write: READ_ONLY };
    expect(await onItsOwnDisk("read-only")).toEqual(expected);
    expect(await onItsOwnDisk("read-only-keys")).toEqual(expected);
    expect(await onItsOwnDisk("closed-by-mode")).toEqual(expected);
  });

  test("the log of a killed process is read on a read-only disk and on a full one", async () => {
    const expected = { ...READ, names: ["kept", "one"] };
    expect(await onItsOwnDisk("read-only-after-a-kill")).toEqual({
      ...expected,
      isReadOnly: true,
      readOnly: true,
      write: READ_ONLY,
    });
    expect(await onItsOwnDisk("full-after-a-kill")).toMatchObject({ ...expected, write: FULL });
  });

  test("a disk that becomes writable is used without a restart", async () => {
    expect(await onItsOwnDisk("read-only-then-writable")).toEqual({
      ...READ,
      names: ["another", "one"],
      before: READ_ONLY,
      after: "ok",
      isReadOnly: false,
    });
  });

  test("a reader without write access sees the changes of others at its next call", async () => {
    // With one, two and three credentials: their number, the number of revoked ones, their number again.
    expect(await onItsOwnDisk("read-only-view")).toEqual({
      seen: [1, 2, 2, 2, 3, 3, 3],
      found: "one",
    });
  });

  test("a store on a full disk is read, refuses changes, and accepts them when there is room again", async () => {
    expect(await onItsOwnDisk("full")).toEqual({
      ...READ,
      write: FULL,
      afterwards: "ok",
      isReadOnly: false,
    });
  });

  test("a disk that fills up under an open store prevents only its changes", async () => {
    const state = await onItsOwnDisk("full-under-an-open-store");
    expect(state).toMatchObject({ write: FULL, found: "one", isDefault: true, principal: "one" });
  });

  test("a store is not created on a full disk, and is when there is room again", async () => {
    expect(await onItsOwnDisk("full-before-the-store")).toEqual({
      before: "STORAGE_FULL",
      after: "ok",
    });
  });
});
