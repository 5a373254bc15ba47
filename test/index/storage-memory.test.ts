import { memoryStorage } from "../../src/index/storage-memory.ts";
import { storageContract } from "../contract/storage.ts";

storageContract(memoryStorage);
