import { expect, onTestFinished, test } from "vitest";

import { Notifications } from "../../src/postgres/notifications.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("each listener gets the payloads of other nodes, until it stops", async () => {
    const url = server.freshUrl();
    const notifications = new Notifications(server.open(url), "news");
    onTestFinished(() => notifications.close());
    const heard: (string | undefined)[][] = [[], []];
    const stops = heard.map((list) => notifications.listen((payload) => void list.push(payload)));
    // The first notification says that earlier ones may be lost.
    await expect.poll(() => heard).toEqual([[undefined], [undefined]]);
    const sender = server.open(url);
    await sender.query("SELECT pg_notify('news', 'one')");
    await expect.poll(() => heard.map((list) => list.at(-1))).toEqual(["one", "one"]);
    stops[0]?.();
    await sender.query("SELECT pg_notify('news', 'two')");
    await expect.poll(() => heard[1]?.at(-1)).toBe("two");
    expect(heard[0]?.at(-1)).toBe("one");
  });

  test("after a crash of the server it listens again, and says that notifications may be lost", async () => {
    const url = server.freshUrl();
    const notifications = new Notifications(server.open(url), "news");
    onTestFinished(() => notifications.close());
    const heard: (string | undefined)[] = [];
    notifications.listen((payload) => void heard.push(payload));
    await expect.poll(() => heard).toEqual([undefined]);
    await server.kill();
    await server.start();
    await expect.poll(() => heard, { timeout: 15_000 }).toEqual([undefined, undefined]);
    await server.open(url).query("SELECT pg_notify('news', 'again')");
    await expect.poll(() => heard.at(-1)).toBe("again");
  });
});
