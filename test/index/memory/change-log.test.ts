import { MemoryChangeLog, memoryChangeLogReader } from "../../../src/index/memory/change-log.ts";
import { changeLogContract } from "../../contract/change-log.ts";

changeLogContract(() => {
  let current = new MemoryChangeLog();
  return {
    write: (change) => {
      const copy = current.copy();
      change(copy);
      current = copy;
    },
    reader: memoryChangeLogReader(() => current),
  };
});
