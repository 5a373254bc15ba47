import { IndexDamage } from "../damage.ts";
import { Catalog, REPLICA_KEY } from "../embedded/catalog/catalog.ts";
import { indexLayout } from "../embedded/layout.ts";
import { parseMark } from "./replica-mark.ts";

/** The state that the copy of an index on this machine shows; undefined if there is no usable copy. */
export function copyPosition(
  cacheDirectory: string,
  namespace: string,
): ReturnType<typeof parseMark> {
  try {
    const catalog = Catalog.openToRead(indexLayout(cacheDirectory, namespace).catalog);
    try {
      return parseMark(catalog?.meta(REPLICA_KEY));
    } finally {
      catalog?.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage)) throw thrown;
    return undefined;
  }
}
