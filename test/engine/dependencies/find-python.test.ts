// Distributions in virtual environments.
import { expect, test } from "vitest";

import { lookUp } from "./look-up.ts";

const SITE = "lib/python3.12/site-packages";

test("distributions of .venv have the files of their RECORD, and their readme", () => {
  const { found, files, written, leftOut } = lookUp({
    "pyproject.toml":
      '[project]\nname = "app"\ndependencies = ["Foo_Bar>=1", "editable", "absent"]\n',
    [`.venv/${SITE}/foo_bar-1.2.dist-info/METADATA`]:
      "Metadata-Version: 2.1\nName: foo-bar\nVersion: 1.2\nDescription-Content-Type: text/markdown\n\n# Foo\n",
    [`.venv/${SITE}/foo_bar-1.2.dist-info/RECORD`]:
      'foo/__init__.py,sha256=a,10\n"foo/odd,name.py",,\n../../../bin/foo,,\nfoo/__pycache__/x.pyc,,\nfoo_bar-1.2.dist-info/METADATA,,\n/etc/passwd,,\n',
    [`.venv/${SITE}/editable-1.0.dist-info/RECORD`]: "editable.pth,,\n",
    [`.venv/${SITE}/editable-1.0.dist-info/direct_url.json`]:
      '{"dir_info": {"editable": true}, "url": "file:///home/me/editable"}',
  });
  expect(found).toEqual([["pypi foo-bar 1.2", `.venv/${SITE}`]]);
  expect(files).toEqual([["foo/__init__.py", "foo/odd,name.py"]]);
  expect(written).toEqual([["METADATA", "README.md"]]);
  expect(leftOut).toEqual([
    "editable: installed from a folder of this machine; index that folder",
    "absent: not installed",
  ]);
});

test("the active virtual environment counts where the project has none", () => {
  const files = {
    "requirements.txt": "foo==1.0\n",
    [`elsewhere/${SITE}/foo-1.0.dist-info/RECORD`]: "foo.py,,\n",
  };
  expect(lookUp(files).leftOut).toEqual(["foo: not installed"]);
  expect(lookUp(files, { env: { venv: "elsewhere" } }).found).toEqual([
    ["pypi foo 1.0", `elsewhere/${SITE}`],
  ]);
});
