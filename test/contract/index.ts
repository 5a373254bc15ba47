import { changeLogOfIndexContract } from "./index/change-log.ts";
import { changesContract } from "./index/changes.ts";
import { filesContract } from "./index/files.ts";
import { namesContract } from "./index/names.ts";
import { searchesContract } from "./index/searches.ts";
import type { MakeBackends } from "./index/tested-index.ts";
import { versionsContract } from "./index/versions.ts";
import { writersContract } from "./index/writers.ts";

/**
 * What every index promises (src/index/port.ts). `make` gives two backends over the same indexes, which are empty; it
 * must dispose of them after the test.
 */
export function indexContract(make: MakeBackends): void {
  versionsContract(make);
  writersContract(make);
  changesContract(make);
  filesContract(make);
  searchesContract(make);
  namesContract(make);
  changeLogOfIndexContract(make);
}
