import { memoryStorage } from "../../../../src/index/embedded/storage/storage-memory.ts";
import { storageContract } from "../../../contract/storage.ts";

storageContract(memoryStorage);
