// The location of an index that was fetched from another machine, and the notes about it in its catalogue.

import type { Catalog } from "./catalog/catalog.ts";
import { noteKey } from "./catalog/meta-keys.ts";
import { indexLayout, type IndexLayout } from "./layout.ts";

/** Name of a fetched index in its folder. */
const FETCHED = "index";
/** Key of the name of the offer. */
const OFFER_KEY = noteKey("offer");
/** Key of the version of the other machine's index. */
const VERSION_KEY = noteKey("offered version");

/** Paths of the index that was fetched for a namespace. */
export function fetchedLayout({ fetched }: Pick<IndexLayout, "fetched">): IndexLayout {
  return indexLayout(fetched, FETCHED);
}

/** The name of the offer that an index was fetched from; undefined for one of this machine. */
export function offerName(catalog: Catalog): string | undefined {
  return catalog.meta(OFFER_KEY);
}

/** The version that was fetched. */
export function offeredVersion(catalog: Catalog): string | undefined {
  return catalog.meta(VERSION_KEY);
}

export function noteOffer(catalog: Catalog, name: string, version: string): void {
  catalog.setMeta(OFFER_KEY, name);
  catalog.setMeta(VERSION_KEY, version);
}
