import { pathToFileURL } from "node:url";

import { TestRunner } from "vitest";

const imported = new Set<string>();

/**
 * Imports each test file by its path. Vitest adds the time to it, and Node's cache of compiled modules would then keep each
 * file once for every run of the tests.
 */
export default class PathTestRunner extends TestRunner {
  override importFile(file: string, source: "collect" | "setup"): unknown {
    // Node evaluates a module once for each name.
    if (imported.has(file)) return super.importFile(file, source);
    imported.add(file);
    return import(pathToFileURL(file).href);
  }
}
