// Preloaded (`node --require`) into the warm-up runs of the build, main thread and workers alike:
// lets the unpacked program believe that it runs inside the executable, and records the V8 code
// cache of every chunk it executes. So the program itself needs no hook for its build.

"use strict";

const fs = require("node:fs");
const path = require("node:path");
const sea = require("node:sea");
const v8 = require("node:v8");
const vm = require("node:vm");
const { isMainThread, threadId } = require("node:worker_threads");

const folder = process.env.SVC_BUILD_ASSETS;
const scripts = new Map();

sea.isSea = () => true;
sea.getRawAsset = (name) => {
  const file = path.join(folder, name);
  // A chunk seen for the first time has no cache yet; V8 rejects the empty one and compiles.
  if (name.endsWith(".cache") && !fs.existsSync(file)) return new ArrayBuffer(0);
  const { buffer, byteOffset, byteLength } = fs.readFileSync(file);
  return buffer.slice(byteOffset, byteOffset + byteLength);
};

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const name = /^svc:(.*)$/.exec(options?.filename ?? "")?.[1];
    if (name !== undefined) scripts.set(name, this);
  }
};

// V8 stamps a cache with the options in force when it is made and accepts it under those alone; the
// executable starts with none, whatever the program sets while it runs.
v8.setFlagsFromString = () => {};

// A worker is stopped from outside and sees no exit event, so it also saves while it is idle.
process.on("exit", save);
if (!isMainThread) setInterval(save, 250).unref();

function save() {
  for (const [name, script] of scripts) {
    const cache = script.createCachedData();
    const file = path.join(folder, `${name}.cache`);
    // Each run starts from the cache of the run before it, so the longer one knows more functions.
    if (fs.existsSync(file) && fs.statSync(file).size >= cache.length) continue;
    const temporary = `${file}.${process.pid}.${threadId}`;
    fs.writeFileSync(temporary, cache);
    fs.renameSync(temporary, file);
  }
}
