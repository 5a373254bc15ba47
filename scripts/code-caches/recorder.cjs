// Preloaded (`node --require`) into the program while scripts/code-caches/record.mjs runs it, in the main thread and
// in workers: makes the unpacked program believe that it runs inside the executable, and records
// which functions of its chunks are called. So the program itself needs no hook for this.

"use strict";

const fs = require("node:fs");
const { Session } = require("node:inspector");
const path = require("node:path");
const sea = require("node:sea");
const { isMainThread, threadId } = require("node:worker_threads");

const assets = process.env.SVC_RECORD_ASSETS;
const output = path.join(process.env.SVC_RECORD_OUTPUT, `${process.pid}.${threadId}`);
const called = new Set();

sea.isSea = () => true;
sea.getRawAsset = (name) => {
  // V8 refuses an empty code cache and compiles.
  if (name.endsWith(".cache")) return new ArrayBuffer(0);
  const { buffer, byteOffset, byteLength } = fs.readFileSync(path.join(assets, name));
  return buffer.slice(byteOffset, byteOffset + byteLength);
};

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

// A worker is stopped from outside and sees no exit event, so it also saves while it is idle.
process.on("exit", save);
if (!isMainThread) setInterval(save, 250).unref();

/** Writes a line for each function called so far: chunk, offset of its start and its end, name. */
function save() {
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error !== null) throw error;
    for (const { url, functions } of result) {
      const chunk = /^svc:code\/(.*)$/.exec(url)?.[1];
      if (chunk !== undefined) addCalled(chunk, functions);
    }
  });
  fs.writeFileSync(output, [...called].join("\n"));
}

function addCalled(chunk, functions) {
  for (const { functionName, ranges } of functions) {
    const [{ startOffset, endOffset, count }] = ranges;
    if (count > 0) called.add([chunk, startOffset, endOffset, functionName].join(" "));
  }
}
