// node scripts/run-packer.mjs FILE: calls @yao-pkg/pkg with the JSON input that pack.mjs has prepared. In a process of
// its own, because the packer changes the working directory and the environment, and takes the version of the Node that
// it runs on. Its command line accepts neither assets nor another runtime, so its function is called; the version of
// the package is pinned because this is not its public interface.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";

import { REPRODUCIBLE } from "./node-options.mjs";

const require = createRequire(import.meta.url);
const { boot, options } = JSON.parse(readFileSync(process.argv[2], "utf8"));

// The packer starts Node without options. These make a code cache the same in each build.
const childProcess = require("node:child_process");
const { execFile } = childProcess;
childProcess.execFile = Object.assign(() => {}, {
  [promisify.custom]: (file, args, how) =>
    promisify(execFile)(file, [...REPRODUCIBLE, ...args], how),
});
// The build names its own steps.
require("@yao-pkg/pkg/lib-es5/log.js").log.info = () => {};
await require("@yao-pkg/pkg/lib-es5/sea.js").default(boot, options);
