// Modules of Go and crates.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { lookUp } from "./look-up.ts";

test("modules of Go come from vendor or the module cache, without those that others need", () => {
  const { found, written, leftOut } = lookUp(
    {
      "go.mod":
        "module example.com/app\n\nrequire (\n\tgithub.com/BurntSushi/toml v1.3.2\n\texample.com/vendored v1.0.0\n\texample.com/deep v1.0.0 // indirect\n)\n",
      "go/pkg/mod/github.com/!burnt!sushi/toml@v1.3.2/decode.go": "package toml\n",
      "vendor/example.com/vendored/go.mod": "module example.com/vendored\n",
    },
    {
      prepare: (root) =>
        void mkdirSync(join(root, "go/pkg/mod/example.com/deep@v1.0.0"), { recursive: true }),
    },
  );
  expect(found).toEqual([
    ["go github.com/BurntSushi/toml 1.3.2", "go/pkg/mod/github.com/!burnt!sushi/toml@v1.3.2"],
    ["go example.com/vendored 1.0.0", "vendor/example.com/vendored"],
  ]);
  expect(written).toEqual([["go.mod"], []]);
  expect(leftOut).toEqual([]);
});

test("crates come from Cargo's registry, at the versions of the lock file", () => {
  const { found, leftOut } = lookUp({
    "Cargo.toml":
      '[package]\nname = "app"\nversion = "0.1.0"\n\n[dependencies]\nbytes = "1"\nserde = "1"\n',
    "Cargo.lock":
      '[[package]]\nname = "bytes"\nversion = "1.5.0"\nsource = "registry+https://x"\n\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://x"\n\n[[package]]\nname = "deep"\nversion = "1.0.0"\nsource = "registry+https://x"\n',
    "cargo/registry/src/index.crates.io-1/bytes-1.5.0/src/lib.rs": "pub struct Bytes;\n",
    "cargo/registry/src/index.crates.io-1/deep-1.0.0/src/lib.rs": "pub struct Deep;\n",
  });
  expect(found).toEqual([
    ["cargo bytes 1.5.0", "cargo/registry/src/index.crates.io-1/bytes-1.5.0"],
  ]);
  expect(leftOut).toEqual(["serde: not installed"]);
});
