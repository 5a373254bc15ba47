// node scripts/cold-caches.mjs FOLDER: gives every chunk that no warm-up run has loaded a code
// cache without run-time knowledge. A process of its own, because V8 accepts a cache only under
// the very flags under which it was made.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Script } from "node:vm";

const folder = process.argv[2];
for (const name of readdirSync(folder)) {
  const cache = path.join(folder, name.replace(/\.js$/, ".cache"));
  if (!name.endsWith(".js") || name === "boot.js" || existsSync(cache)) continue;
  const script = new Script(readFileSync(path.join(folder, name), "latin1"));
  writeFileSync(cache, script.createCachedData());
}
