import {
  MemoryRegistry,
  sharedRegistry,
} from "../../../../src/sources/registry/memory/memory-registry.ts";
import { registryContract } from "../../../contract/registry.ts";

registryContract(() => {
  const shared = sharedRegistry();
  return () => new MemoryRegistry(shared);
});
