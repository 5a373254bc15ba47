import type { ContentItem } from "../tools/tool.ts";
import type { JsonObject } from "./message.ts";

const EPHEMERAL = { type: "ephemeral" } as const;

/**
 * Content items as the interface shows them (2.4). The last one carries `cache_control`, which covers everything before
 * it; a model's provider takes no more than four such marks. `partial` and `cache_control` of the last item are repeated
 * in its `_meta`, because the official SDKs delete members of an item that the protocol does not know.
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
