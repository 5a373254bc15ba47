import { rmSync } from "node:fs";

import { onTestFinished } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { indexContract } from "../../contract/index.ts";
import { NAMESPACE } from "../../contract/index/tested-index.ts";
import { look, problemsOf } from "../../engine/fixtures/check-index.ts";
import { tree } from "../../helpers/tree.ts";

indexContract(() => {
  const { path, dispose } = tree();
  const [one, other] = [new EmbeddedBackend(path), new EmbeddedBackend(path)];
  onTestFinished(() => {
    one.close();
    other.close();
    dispose();
  });
  return {
    one,
    other,
    revokeWriter: () => rmSync(one.layout(NAMESPACE).writerLock),
    problems: async () => (await look(path, NAMESPACE, problemsOf)) ?? [],
  };
});
