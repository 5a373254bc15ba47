// Gives out indexes to other machines, on behalf of callers who may read them.

import { SvcError } from "../base/errors.ts";
import type { IndexBackend } from "../index/port.ts";
import type { IndexExports } from "../index/index-export.ts";
import type { EngineExports } from "./api/index-export.ts";
import type { Namespaces } from "./namespaces.ts";

export function engineExports(index: IndexBackend, namespaces: Namespaces): EngineExports {
  const exports = (): IndexExports => {
    if (index.exports !== undefined) return index.exports;
    throw new SvcError("INDEX_UNAVAILABLE", "This backend cannot give out indexes.");
  };
  return {
    version: async (request) => {
      const namespace = await namespaces.authorize(request, request.namespace);
      const version = await exports().version(namespace);
      if (version !== undefined) return version;
      throw new SvcError("INDEX_EMPTY", `"${namespace}" has no index yet.`);
    },
    list: async (request) => exports().list(await namespaces.authorize(request, request.namespace)),
    part: async (request) =>
      exports().part(
        await namespaces.authorize(request, request.namespace),
        request.segment,
        request,
      ),
  };
}
