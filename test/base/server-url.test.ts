import { expect, test } from "vitest";

import { problemWithServerUrl } from "../../src/base/server-url.ts";

test.each([
  "https://svc.example.org",
  "https://svc.example.org:8443/team/",
  "http://127.0.0.1:7333",
  "http://localhost:7333/mcp",
  "http://[::1]:7333",
])("%s may get a secret", (url) => {
  expect(problemWithServerUrl(url)).toBeUndefined();
});

test.each([
  ["svc.example.org", "is not a URL"],
  ["ftp://svc.example.org", "is not an HTTP URL"],
  ["postgres://svc.example.org/svc", "is not an HTTP URL"],
  ["https://ann:secret@svc.example.org", "contains a credential"],
  ["https://svc.example.org?token=secret", "has a query or a fragment"],
  ["https://svc.example.org#top", "has a query or a fragment"],
  ["http://svc.example.org", "would send secrets over plain HTTP"],
  ["http://127.0.0.1.example.org", "would send secrets over plain HTTP"],
])("%s may not: it %s", (url, problem) => {
  expect(problemWithServerUrl(url)).toBe(problem);
});
