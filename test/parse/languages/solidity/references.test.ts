import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("imports, inheritance, libraries, modifiers and events", async () => {
  const users = await usersIn({
    "lib/Ownable.sol":
      "contract Ownable {\n  event Moved(address to);\n  modifier onlyOwner() { _; }\n  function check() internal { emit Moved(address(0)); }\n}\n",
    "lib/Math.sol":
      "library Math {\n  function max(uint a, uint b) internal returns (uint) { return a; }\n}\n",
    "Vault.sol":
      'import {Ownable} from "./lib/Ownable.sol";\nimport "./lib/Math.sol";\ncontract Vault is Ownable {\n  function run() public onlyOwner {\n    check();\n    Math.max(1, 2);\n  }\n}\n',
  });
  expect(await users("Ownable")).toEqual(["Vault.sol:1 value", "Vault.sol:3 inherit"]);
  expect(await users("Ownable.check")).toEqual(["Vault.sol:5 call"]);
  expect(await users("Ownable.onlyOwner")).toEqual(["Vault.sol:4 call"]);
  expect(await users("Ownable.Moved")).toEqual(["lib/Ownable.sol:4 call"]);
  expect(await users("Math.max")).toEqual(["Vault.sol:6 call"]);
});
