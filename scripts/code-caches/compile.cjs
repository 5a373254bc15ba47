// node scripts/code-caches/compile.cjs FOLDER: writes the V8 code caches of the chunks that standard input
// lists, each with the functions that its cache holds compiled: {"main": [offset inside of one, …]}.
//
// A separate process that does nothing else: V8 numbers all functions that a process compiles, and the
// numbers are in the caches. CommonJS, because Node loads it without compiling more.

"use strict";

const fs = require("node:fs");
const { Session } = require("node:inspector");
const path = require("node:path");
const v8 = require("node:v8");
const { Script } = require("node:vm");

// A cache must not depend on when V8 collects garbage: V8 then drops functions that have not run for a while,
// and reused memory keeps its old contents in the gaps between objects. The caller sets a heap that is
// large enough, by an option.
const collections = new v8.GCProfiler();
collections.start();
// The default. A cache holds a sum of all options, and the program compares it with its own.
v8.setFlagsFromString("--initial-heap-size=0");

const folder = process.argv[2];
const wanted = JSON.parse(fs.readFileSync(0, "utf8"));
const ids = new Map();
const session = new Session();
session.connect();
session.on("Debugger.scriptParsed", ({ params }) => ids.set(params.url, params.scriptId));
session.post("Debugger.enable");

// V8 may drop a script without references.
const scripts = [];
for (const [chunk, offsets] of Object.entries(wanted)) {
  const source = fs.readFileSync(path.join(folder, `${chunk}.js`), "latin1");
  const script = new Script(source, { filename: `svc:code/${chunk}` });
  scripts.push(script);
  // Creates the function around the chunk without calling it. The debugger knows the script from here on.
  script.runInThisContext();
  compile(ids.get(`svc:code/${chunk}`), source, offsets);
  fs.writeFileSync(path.join(folder, `${chunk}.cache`), script.createCachedData());
}
const { statistics } = collections.stop();
if (statistics.length > 0) throw new Error("V8 collected garbage: give it a larger heap");

/** A debugger that requests the breakpoints of a function makes V8 compile it. */
function compile(scriptId, source, offsets) {
  let [lineNumber, lineStart] = [0, 0];
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    for (let end; (end = source.indexOf("\n", lineStart)) !== -1 && end < offset;) {
      lineStart = end + 1;
      lineNumber += 1;
    }
    const start = { scriptId, lineNumber, columnNumber: offset - lineStart };
    const end = { ...start, columnNumber: start.columnNumber + 1 };
    const range = { start, end, restrictToFunction: true };
    session.post("Debugger.getPossibleBreakpoints", range, (error) => {
      if (error !== null) throw error;
    });
  }
}
