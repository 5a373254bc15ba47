import { expect, test } from "vitest";

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
import { NO_BUS, startKeyring, startHeldBus, startMuteBus } from "./session-bus.ts";
import { needs } from "../helpers/needs.ts";

const DECLINED = "CREDENTIAL_STORE";
const HINT = "Unlock the keychain";

const muteBus = useBus(startMuteBus);

test("a keychain that hangs is asked once and replaced by the key file, and the process ends", async () => {
  const place = newPlace();
  const { address: mute, left } = muteBus();
  const before = left();
  const created = await saveToken(place, mute);
  expect(created.exit).toBe(0);
  expect(created.stderr).toContain("it did not answer within 3000 ms");
  expect(keyFiles(place)).toHaveLength(1);
  await expect.poll(left).toBe(before + 1);
  expect(await accessOf(serve(place, mute))).toBe("ok");
});

test("initialize is answered before a hanging keychain is given up", async () => {
  expect(await questionsBeforeInitialize(newPlace(), muteBus())).toBe(0);
});

test("without a session bus the key file is used", async () => {
  const place = newPlace();
  const created = await saveToken(place, NO_BUS);
  expect([created.exit, keyFiles(place).length]).toEqual([0, 1]);
  expect(created.stderr).toContain("The system's keychain is not used");
  expect(await accessOf(serve(place, NO_BUS))).toBe("ok");
});

needs(["keyring"], () => {
  const keyringBus = useBus(() => startKeyring());

  test("the data key goes into the keychain, and a server reads it from there", async () => {
    const place = newPlace();
    const keyring = keyringBus();
    const before = await keyring.entries();
    const created = await saveToken(place, keyring.address);
    expect(created.exit).toBe(0);
    expect(created.stderr).not.toContain("keychain");
    expect(await keyring.entries()).toBe(before + 1);
    expect(keyFiles(place)).toEqual([]);
    expect(await accessOf(serve(place, keyring.address))).toBe("ok");
    expect(await keyring.entries()).toBe(before + 1);
  });

  test("without its keychain the store is refused and not changed", async () => {
    const place = newPlace();
    const keyring = keyringBus().address;
    await saveToken(place, keyring);
    for (const bus of [NO_BUS, muteBus().address]) {
      const again = await saveToken(place, bus);
      expect(again).toMatchObject({ exit: 2, stdout: "" });
      expect(JSON.parse(again.stderr)).toMatchObject({ error: { error_code: DECLINED } });
      expect(again.stderr).toContain(HINT);

      const answer = await accessOf(serve(place, bus));
      expect(answer).toMatch(new RegExp(`^${DECLINED}: .*${HINT}`));
    }
    expect(keyFiles(place)).toEqual([]);
    expect((await saveToken(place, keyring)).exit).toBe(0);
    expect(await accessOf(serve(place, keyring))).toBe("ok");
  });

  test("a server with a hanging keychain answers meanwhile and ends with its input", async () => {
    const place = newPlace();
    const mute = muteBus();
    await saveToken(place, keyringBus().address);
    expect(await questionsBeforeInitialize(place, mute)).toBe(0);

    const before = mute.left();
    const server = serve(place, mute.address);
    await server.request("initialize", CLIENT);
    const listed = accessOf(server).catch(() => "no answer");
    expect(await server.request("ping")).toMatchObject({ result: {} });
    expect(mute.left()).toBe(before);

    const exit = await server.close();
    expect(exit).toBe(0);
    // The keychain request has its own time limit. At that limit the call would be refused.
    expect(await listed).toBe("no answer");
  });

  test("a slow keychain is waited for", async () => {
    const slowBus = await startHeldBus(keyringBus().address);
    try {
      const place = newPlace();
      const saving = saveToken(place, slowBus.address);
      await slowBus.connected;
      slowBus.release();
      const created = await saving;
      expect(created.exit).toBe(0);
      expect(created.stderr).not.toContain("keychain");
      expect(keyFiles(place)).toEqual([]);
      const server = serve(place, slowBus.address);
      expect(await accessOf(server)).toBe("ok");
      await server.close();
    } finally {
      await slowBus.stop();
    }
  });
});
