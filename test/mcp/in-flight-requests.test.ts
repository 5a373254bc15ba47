import { expect, test, vi } from "vitest";

import { InFlightRequests } from "../../src/mcp/in-flight-requests.ts";
import { stopTimers } from "../helpers/stopped-clock.ts";

const TIMEOUT_MS = 1000;

function open(): { readonly requests: InFlightRequests; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const send = (message: unknown): void => void sent.push(message);
  return { requests: new InFlightRequests({ timeoutMs: TIMEOUT_MS, send }), sent };
}

test("each request has its own time, and an answered one none", () => {
  stopTimers();
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end;) {
      now += 1;
      vi.advanceTimersByTime(1);
    }
  };
  const { requests } = open();
  const [answered, first, open2] = [1, 2, undefined].map((id) => {
    const request = requests.start({ id, characters: 1 });
    pass(300);
    return request;
  });
  const untimed = requests.start({ id: 4, characters: 1 });
  untimed.isTimed = false;
  if (answered !== undefined) requests.end(answered);
  const over = (): unknown[] => [answered, first, open2, untimed].map((one) => one?.isOver);
  pass(399);
  expect(over()).toEqual([false, false, false, false]);
  pass(1);
  expect(over()).toEqual([false, true, false, false]);
  pass(300);
  expect(over()).toEqual([false, true, true, false]);
  expect([requests.has(1), requests.has(2), requests.has(4)]).toEqual([false, false, true]);
  expect(vi.getTimerCount()).toBe(0);
  clock.mockRestore();
});

test("the id of a cancelled request is free while its work ends, and the new request keeps it", () => {
  const { requests, sent } = open();
  const first = requests.start({ id: "a", characters: 1 });
  requests.cancel("a");
  expect([first.isCancelled, requests.has("a")]).toEqual([true, false]);
  const second = requests.start({ id: "a", characters: 1 });
  requests.end(first);
  expect(requests.has("a")).toBe(true);
  first.notify("late", {});
  second.notify("in time", { n: 1 });
  requests.end(second);
  second.notify("late", {});
  expect(sent).toEqual([{ jsonrpc: "2.0", method: "in time", params: { n: 1 } }]);
  requests.cancel("nobody");
});

test("the end of a connection cancels every request and stops the timer", () => {
  stopTimers();
  const { requests } = open();
  const both = [
    requests.start({ id: 1, characters: 1 }),
    requests.start({ id: undefined, characters: 1 }),
  ];
  requests.close();
  expect(both.map(({ isCancelled }) => isCancelled)).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(0);
});
