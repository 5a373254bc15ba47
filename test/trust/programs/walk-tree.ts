// Walks a folder in a process of its own and prints what that took as JSON.

import { walk } from "../../../src/scan/walk.ts";

const started = performance.now();
const { files, complete } = walk(process.argv[2] ?? "");
const ms = Math.round(performance.now() - started);
const maxRssMiB = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ files: files.length, complete, ms, maxRssMiB }));
