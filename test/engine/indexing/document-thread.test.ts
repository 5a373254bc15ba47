import { onTestFinished, expect, test } from "vitest";

import { decodeDocument } from "../../../src/base/documents/encode-document.ts";
import { DocumentThread } from "../../../src/engine/indexing/document-thread.ts";

type Limits = ConstructorParameters<typeof DocumentThread>[1];

function threadWith(limits: Limits = {}): DocumentThread {
  const thread = new DocumentThread(false, limits);
  onTestFinished(() => thread.close());
  return thread;
}

function notebook(sources: readonly string[]): Uint8Array<ArrayBuffer> {
  const cells = sources.map((source) => ({ cell_type: "markdown", metadata: {}, source }));
  const text = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
  return new Uint8Array(Buffer.from(text));
}

async function textOf(thread: DocumentThread, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reply = await thread.extract("notebook", bytes);
  if ("failure" in reply) return reply.failure;
  return decodeDocument(Buffer.from(reply.encoded))?.text ?? "damaged";
}

const SMALL = (): Uint8Array<ArrayBuffer> => notebook(["# Tides"]);
/** Takes seconds, and hundreds of megabytes. */
const LARGE = (): Uint8Array<ArrayBuffer> =>
  notebook(Array.from({ length: 150_000 }, (_, at) => `# Tide ${at}\n\nWater ${at}.`));

test("documents are extracted one after the other, whatever was wrong with the one before", async () => {
  const thread = threadWith();
  expect(await textOf(thread, SMALL())).toContain("Tides");
  expect(await textOf(thread, new Uint8Array(Buffer.from("{")))).toBe("document-damaged");
  expect(await textOf(thread, notebook([]))).toBe("document-empty");
  expect(await textOf(thread, SMALL())).toContain("Tides");
});

test("a document that takes too much processor time has no text, and the next one does", async () => {
  const thread = threadWith({ maxCpuMs: 100 });
  expect(await textOf(thread, LARGE())).toBe("document-too-slow");
  expect(await textOf(thread, SMALL())).toContain("Tides");
});

test("a document that takes too much of the heap has no text, and the next one does", async () => {
  const thread = threadWith({ maxHeapMb: 24 });
  expect(await textOf(thread, LARGE())).toBe("document-too-large");
  expect(await textOf(thread, SMALL())).toContain("Tides");
});

test("a document that takes too much memory of the process has no text, and the next one does", async () => {
  const thread = threadWith({ maxAddedBytes: 16 << 20 });
  expect(await textOf(thread, LARGE())).toBe("document-too-large");
  expect(await textOf(threadWith(), SMALL())).toContain("Tides");
});
