import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { parseBaseUrl } from "../../src/providers/base-url.ts";

test.each([
  ["https://api.openai.com", "https://api.openai.com", "/v1"],
  ["https://api.openai.com/", "https://api.openai.com", "/v1"],
  ["https://api.openai.com/v1", "https://api.openai.com", "/v1"],
  ["https://openrouter.ai/api/v1/", "https://openrouter.ai", "/api/v1"],
  ["https://GATEWAY.example:8443/openai", "https://gateway.example:8443", "/openai"],
  ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434", "/v1"],
  ["http://localhost:8080", "http://localhost:8080", "/v1"],
  ["http://[::1]:8080", "http://[::1]:8080", "/v1"],
])("%s is the origin %s with the path %s", (text, origin, path) => {
  expect(parseBaseUrl(text)).toEqual({ origin, path });
});

test.each([
  ["api.openai.com", "is not a URL"],
  ["", "is not a URL"],
  ["file:///etc/passwd", "is not an HTTP URL"],
  ["http://api.openai.com/v1", "plain HTTP"],
  ["http://192.168.1.5:11434/v1", "plain HTTP"],
  ["http://127.0.0.1.example.org/v1", "plain HTTP"],
  ["http://localhost.example.org", "plain HTTP"],
  ["https://user:hunter2@api.openai.com/v1", "credential"],
  ["https://api.openai.com/v1?key=hunter2", "query"],
  ["https://api.openai.com/v1#hunter2", "fragment"],
])("%s is refused, and its content is not repeated", (text, problem) => {
  const refusal = thrownBy(() => parseBaseUrl(text));
  expect(refusal).toMatchObject({ code: "USAGE" });
  expect(refusal.detail).toContain(problem);
  expect(refusal.detail).toContain("--provider");
  expect(refusal.detail).not.toContain("hunter2");
});

function thrownBy(work: () => unknown): SvcError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof SvcError) return thrown;
    throw thrown;
  }
  throw new Error("it was taken");
}
