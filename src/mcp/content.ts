import type { ContentItem } from "../tools/tool.ts";
import type { JsonObject } from "./message.ts";

const EPHEMERAL = { type: "ephemeral" } as const;

/**
 * Content items in the form of the interface (2.4). `partial` and `cache_control` are repeated in
 * `_meta`, because the official SDKs delete members of an item that the protocol does not define.
 */
export function content(
  items: readonly ContentItem[],
  isRepeatable: boolean,
): readonly JsonObject[] {
  return items.map(({ text, meta, block = { type: "text", text } }, position) => {
    const partial = position < items.length - 1;
    if (partial) return { ...block, partial, ...(meta === undefined ? {} : { _meta: meta }) };
    return {
      ...block,
      partial,
      ...(isRepeatable ? { cache_control: EPHEMERAL } : {}),
      _meta: {
        "dev.svc/partial": partial,
        ...(isRepeatable ? { "dev.svc/cacheControl": EPHEMERAL } : {}),
        ...meta,
      },
    };
  });
}
