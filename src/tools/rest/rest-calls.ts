import { restColors, restFile, restFolder, restName, restReferences } from "./browse-calls.ts";
import type { RestCall } from "./rest-call.ts";
import { restSymbolSearch, restTextSearch } from "./search-calls.ts";
import { restWhy } from "./why-call.ts";

/** All of them; `/v1/search` has an endpoint of its own. */
export const REST_CALLS: readonly RestCall[] = [
  restTextSearch,
  restSymbolSearch,
  restFolder,
  restFile,
  restColors,
  restName,
  restReferences,
  restWhy,
];
