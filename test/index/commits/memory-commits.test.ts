import { memoryCommits } from "../../../src/index/commits/memory-commits.ts";
import { commitStorageContract } from "../../contract/commits.ts";

commitStorageContract(memoryCommits);
