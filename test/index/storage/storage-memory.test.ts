import { memoryStorage } from "../../../src/index/storage/storage-memory.ts";
import { storageContract } from "../../contract/storage.ts";

storageContract(memoryStorage);
