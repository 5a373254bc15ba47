import { expect, onTestFinished, test } from "vitest";

import {
  accessOf,
  CLIENT,
  keyFiles,
  newPlace,
  questionsBeforeInitialize,
  saveToken,
  serve,
  useBus,
} from "./keychain-user.ts";
import { startHeldBus, startKeyring, type Keyring } from "./session-bus.ts";
import { promise } from "../trust/promise.ts";
import { needs } from "../helpers/needs.ts";

const NOTICE = "The system's keychain is not used";
const REFUSED = /^CREDENTIAL_STORE: .*Unlock the keychain/;

needs(["keyring"], () => {
  const keyringBus = useBus(() => startKeyring());
  const promptingBus = useBus(() => startKeyring({ prompt: "unanswered" }));

  /** The keyring, locked; unlocked when the test ends. */
  async function lockedKeyring(keyring = keyringBus()): Promise<Keyring> {
    await keyring.lock();
    onTestFinished(keyring.unlock);
    return keyring;
  }

  promise(
    [41],
    "initialize is answered at once while the keychain with the key is locked",
    async () => {
      const place = newPlace();
      await saveToken(place, keyringBus().address);
      const { address } = await lockedKeyring();
      const bus = await startHeldBus(address);
      onTestFinished(bus.stop);
      expect(await questionsBeforeInitialize(place, bus)).toBe(0);
      bus.release();
      return 1;
    },
  );

  test("a server whose user is asked to unlock the keychain works once that is done", async () => {
    const place = newPlace();
    await saveToken(place, keyringBus().address);
    const keyring = await lockedKeyring();
    const server = serve(place, keyring.address);
    await server.request("initialize", CLIENT);
    expect(await accessOf(server)).toMatch(REFUSED);
    expect(await accessOf(server)).toMatch(REFUSED);
    await keyring.unlock();
    expect(await accessOf(server)).toBe("ok");
  });

  test("a server that has its key continues when the keychain is locked", async () => {
    const place = newPlace();
    await saveToken(place, keyringBus().address);
    const server = serve(place, keyringBus().address);
    expect(await accessOf(server)).toBe("ok");
    await lockedKeyring();
    expect(await accessOf(server)).toBe("ok");
  });

  test("a store whose key is in the locked keychain gets no new key", async () => {
    const place = newPlace();
    await saveToken(place, keyringBus().address);
    const keyring = await lockedKeyring();
    const refused = await saveToken(place, keyring.address);
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toContain("Unlock the keychain");
    expect(refused.stderr).not.toContain(NOTICE);
    expect(keyFiles(place)).toEqual([]);
    await keyring.unlock();
    expect(await saveToken(place, keyring.address)).toMatchObject({ exit: 0, stderr: "" });
    expect(keyFiles(place)).toEqual([]);
  });

  test("a store created while the keychain is locked has a key file, and keeps it", async () => {
    const place = newPlace();
    const keyring = await lockedKeyring();
    const created = await saveToken(place, keyring.address);
    expect(created.exit).toBe(0);
    expect(created.stderr).toContain(NOTICE);
    expect(keyFiles(place)).toHaveLength(1);
    expect(await accessOf(serve(place, keyring.address))).toBe("ok");
    await keyring.unlock();
    expect(await saveToken(place, keyring.address)).toMatchObject({ exit: 0, stderr: "" });
    expect(keyFiles(place)).toHaveLength(1);
    expect(await accessOf(serve(place, keyring.address))).toBe("ok");
  });
  promise(
    [41],
    "a locked keychain that asks for its password blocks nothing when nobody answers",
    async () => {
      const place = newPlace();
      await saveToken(place, promptingBus().address);
      const keyring = await lockedKeyring(promptingBus());
      const bus = await startHeldBus(keyring.address);
      onTestFinished(bus.stop);
      bus.release();
      expect(await questionsBeforeInitialize(place, bus)).toBe(0);
      const server = serve(place, keyring.address);
      expect(await accessOf(server)).toMatch(REFUSED);
      const other = newPlace();
      expect((await saveToken(other, keyring.address)).stderr).toContain(NOTICE);
      expect(keyFiles(other)).toHaveLength(1);
      await keyring.unlock();
      expect(await accessOf(server)).toBe("ok");
      expect(keyFiles(place)).toEqual([]);
      return 1;
    },
  );
});
