import { onTestFinished } from "vitest";

import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { tree } from "./tree.ts";

/** An embedded index in a folder that is removed with the test. */
export function indexInFiles(): EmbeddedBackend {
  const { path, dispose } = tree();
  const backend = new EmbeddedBackend(path);
  onTestFinished(() => {
    backend.close();
    dispose();
  });
  return backend;
}
