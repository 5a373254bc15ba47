import { expect, test } from "vitest";

import {
  bestInitializeMs,
  CLIENT,
  INITIALIZE_MS,
  keyFiles,
  accessOf,
  newPlace,
  saveToken,
  serve,
  useBus,
} from "./keychain-user.ts";
import { NO_BUS, startKeyring, startMuteBus, startSlowBus } from "./session-bus.ts";
import { needs } from "../helpers/needs.ts";

/** Time limit for immediate operations on a busy machine. */
const AT_ONCE_MS = 1000;
/** The limit of one question to the keychain, and the start of the program twice. */
const GIVEN_UP_MS = 5000;
/** A third of the limit of one question: the rest is for the start of the program on a busy machine. */
const SLOW_MS = 500;

const DECLINED = "CREDENTIAL_STORE";
const HINT = "Unlock the keychain";

const muteBus = useBus(startMuteBus);

test("a keychain that hangs is replaced by the key file, and the process ends at once", async () => {
  const place = newPlace();
  const mute = muteBus().address;
  const created = await saveToken(place, mute);
  expect(created.exit).toBe(0);
  expect(created.stderr).toContain("it did not answer within 3000 ms");
  expect(keyFiles(place)).toHaveLength(1);
  expect(created.tookMs).toBeLessThan(GIVEN_UP_MS);
  expect(created.lingeredMs).toBeLessThan(AT_ONCE_MS);
  expect(await accessOf(serve(place, mute))).toBe("ok");
});

test("initialize is answered before a hanging keychain could be queried", async () => {
  expect(await bestInitializeMs(newPlace(), muteBus().address)).toBeLessThan(INITIALIZE_MS);
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
      expect(JSON.parse(again.stderr)).toMatchObject({ error: { data: { error_code: DECLINED } } });
      expect(again.stderr).toContain(HINT);
      expect(again.lingeredMs).toBeLessThan(AT_ONCE_MS);

      const answer = await accessOf(serve(place, bus));
      expect(answer).toMatch(new RegExp(`^${DECLINED}: .*${HINT}`));
    }
    expect(keyFiles(place)).toEqual([]);
    expect((await saveToken(place, keyring)).exit).toBe(0);
    expect(await accessOf(serve(place, keyring))).toBe("ok");
  });

  test("a server with a hanging keychain answers meanwhile and ends with its input", async () => {
    const place = newPlace();
    const mute = muteBus().address;
    await saveToken(place, keyringBus().address);
    expect(await bestInitializeMs(place, mute)).toBeLessThan(INITIALIZE_MS);

    const server = serve(place, mute);
    await server.request("initialize", CLIENT);
    const listed = accessOf(server).catch(() => "no answer");
    const askedAt = performance.now();
    expect(await server.request("ping")).toMatchObject({ result: {} });
    expect(performance.now() - askedAt).toBeLessThan(AT_ONCE_MS);

    const closedAt = performance.now();
    const exit = await server.close();
    expect(exit).toBe(0);
    // The question to the keychain has its own limit; the end of the process does not wait for it.
    expect(performance.now() - closedAt).toBeLessThan(AT_ONCE_MS);
    expect(await listed).not.toBe("ok");
  });

  test("a slow keychain is waited for", async () => {
    const slowBus = await startSlowBus(keyringBus().address, SLOW_MS);
    try {
      const place = newPlace();
      const created = await saveToken(place, slowBus.address);
      expect(created.exit).toBe(0);
      expect(created.stderr).not.toContain("keychain");
      expect(created.tookMs).toBeGreaterThan(SLOW_MS);
      expect(keyFiles(place)).toEqual([]);
      const server = serve(place, slowBus.address);
      expect(await accessOf(server)).toBe("ok");
      await server.close();
    } finally {
      await slowBus.stop();
    }
  });
});
