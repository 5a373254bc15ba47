import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

type Files = Readonly<Record<string, string>>;
type Users = Readonly<Record<string, readonly string[]>>;

const PROJECTS: readonly (readonly [string, Files, Users])[] = [
  [
    "nim",
    {
      "a.nim": "type\n  Shape* = object\n    size: int\nproc area*(s: Shape): int =\n  s.size\n",
      "b.nim":
        "import a\nproc main() =\n  let s = Shape(size: 1)\n  echo area(s)\n  echo s.area()\n",
    },
    { Shape: ["a.nim:4 type", "b.nim:3 call"], area: ["b.nim:4 call", "b.nim:5 call ?"] },
  ],
  [
    "crystal",
    {
      "a.cr":
        "class Base\n  def open(x)\n    x\n  end\nend\nmodule Util\n  def self.run(y)\n    y\n  end\nend\n",
      "b.cr":
        'require "./a"\nclass Child < Base\n  def go\n    open(1)\n    Util.run(2)\n  end\nend\nChild.new.open(1)\n',
    },
    {
      Base: ["b.cr:2 inherit"],
      "Base.open": ["b.cr:4 call", "b.cr:8 call ?"],
      Util: ["b.cr:5 type"],
    },
  ],
  [
    "starlark",
    {
      "x.bzl": "def my_rule(name):\n  pass\n",
      BUILD: 'load(":x.bzl", "my_rule")\nmy_rule(name = "a")\n',
    },
    { my_rule: ["BUILD:2 call"] },
  ],
  [
    "cmake",
    {
      "cmake/F.cmake": "function(add_it name)\nendfunction()\n",
      "CMakeLists.txt":
        "include(cmake/F.cmake)\nadd_library(core a.c)\nadd_executable(app b.c)\ntarget_link_libraries(app core)\nADD_IT(app)\nadd_it(x)\n",
    },
    {
      add_it: ["CMakeLists.txt:5 call", "CMakeLists.txt:6 call"],
      core: ["CMakeLists.txt:4 value"],
      app: ["CMakeLists.txt:4 value", "CMakeLists.txt:5 value"],
    },
  ],
  [
    "nix",
    {
      "a.nix":
        'let\n  mk = name: { inherit name; };\nin {\n  x = mk "a";\n  y = import ./b.nix { };\n}\n',
    },
    { mk: ["a.nix:4 call"] },
  ],
  [
    "fortran",
    {
      "a.f90":
        "module geo\ncontains\n  subroutine area(x)\n    real :: x\n  end subroutine area\n  function vol(x)\n  end function\nend module geo\n",
      "b.f90": "program main\n  use geo\n  call AREA(1.0)\n  y = vol(2.0)\nend program\n",
    },
    { geo: ["b.f90:2 import"], area: ["b.f90:3 call"], vol: ["b.f90:4 call"] },
  ],
  [
    "pascal",
    {
      "a.pas":
        "unit a;\ninterface\nprocedure Run(x: Integer);\nimplementation\nprocedure Run(x: Integer);\nbegin\nend;\nend.\n",
      "b.pas": "program b;\nuses a;\nbegin\n  run(1);\nend.\n",
    },
    { Run: ["b.pas:4 call"] },
  ],
  [
    "verilog",
    {
      "a.v":
        "module counter(input clk);\nendmodule\nmodule adder #(parameter W = 8)(input a);\nendmodule\n",
      "b.sv": "module top;\n  counter c1(.clk(clk));\n  adder #(8) a1(.a(x));\nendmodule\n",
    },
    { counter: ["b.sv:2 call"], adder: ["b.sv:3 call"] },
  ],
  [
    "vhdl",
    {
      "a.vhd":
        "entity counter is\nend counter;\narchitecture rtl of counter is\n  function inc(x : integer) return integer is\n  begin\n    return x;\n  end function;\nbegin\n  y <= inc(1);\nend rtl;\n",
      "b.vhd":
        "architecture rtl of top is\nbegin\n  u1 : entity work.counter port map (a => b);\nend rtl;\n",
    },
    { counter: ["a.vhd:3 value", "b.vhd:3 call"] },
  ],
  [
    "shader",
    {
      "a.glsl": "float noise(vec2 p) {\n  return p.x;\n}\n",
      "b.frag": '#include "a.glsl"\nvoid main() {\n  float n = noise(vec2(1.0));\n}\n',
      "c.wgsl": "fn sq(x: f32) -> f32 {\n  return x * x;\n}\nfn main() {\n  let y = sq(2.0);\n}\n",
    },
    { noise: ["b.frag:3 call"], sq: ["c.wgsl:5 call"] },
  ],
  [
    "tcl",
    {
      "a.tcl": "proc draw {x} {\n  puts $x\n}\n",
      "b.tcl": "source a.tcl\nproc main {} {\n  draw 1\n  set y [draw 2]\n}\nmain\n",
    },
    { draw: ["b.tcl:3 call", "b.tcl:4 call"], main: ["b.tcl:6 call"] },
  ],
  [
    "assembly",
    {
      "a.s": "open_file:\n  ret\nmain:\n  call open_file\n  jmp main\n",
      "b.asm": "start:\n  call open_file\n",
    },
    { open_file: ["a.s:4 call", "b.asm:2 call"], main: ["a.s:5 call"] },
  ],
  [
    "elisp",
    {
      "a.el":
        "(defun my-open (x)\n  (let ((y x))\n    y))\n(defun my-run ()\n  (my-open 1)\n  (mapcar #'my-open '(1)))\n",
      "b.el": "(require 'a)\n(my-run)\n",
    },
    { "my-open": ["a.el:5 call", "a.el:6 call"], "my-run": ["b.el:2 call"] },
  ],
  [
    "lisp",
    {
      "a.scm": "(define (square x) (* x x))\n(define (main) (square 2))\n",
      "b.lisp": "(defun foo (square) (bar square))\n(defun bar (x) x)\n",
    },
    { square: ["a.scm:2 call"], bar: ["b.lisp:1 call"] },
  ],
  [
    "fsharp",
    {
      "Geo.fs": "module Geo\n\nlet area r = r * r\n\ntype Shape = { Size: int }\n",
      "Main.fs":
        "module Main\nopen Geo\n\nlet total xs = xs |> List.map area\nlet one = Geo.area 2\nlet f (s: Shape) = s.Size\n",
    },
    { area: ["Main.fs:4 value"], Shape: ["Main.fs:6 value"] },
  ],
  [
    "vb",
    {
      "a.vb":
        "Public Class Store\n  Public Sub Open(x As Integer)\n  End Sub\nEnd Class\nModule Util\n  Public Function Twice(x As Integer) As Integer\n    Return x\n  End Function\nEnd Module\n",
      "b.vb":
        "Module M\n  Sub Main()\n    Dim s As New Store()\n    s.Open(1)\n    Dim y = Util.Twice(2)\n  End Sub\nEnd Module\n",
    },
    { Store: ["b.vb:3 call"], "Store.Open": ["b.vb:4 call ?"], "Util.Twice": ["b.vb:5 call"] },
  ],
  [
    "d",
    {
      "a.d":
        "module a;\nclass Store {\n  void open(int x) {\n  }\n}\nint twice(int x) {\n  return x;\n}\n",
      "b.d":
        "import a;\nvoid main() {\n  auto s = new Store();\n  s.open(1);\n  int y = twice(2);\n}\n",
    },
    { Store: ["b.d:3 call"], "Store.open": ["b.d:4 call ?"], twice: ["b.d:5 call"] },
  ],
  [
    "batch",
    { "a.bat": ":main\r\ncall :build x\r\ngoto :eof\r\n:build\r\necho hi\r\ngoto main\r\n" },
    { build: ["a.bat:2 call"], main: ["a.bat:6 call"] },
  ],
  [
    "awk",
    { "a.awk": "function twice(x) {\n  return x * 2\n}\n{ print twice($1) }\n" },
    { twice: ["a.awk:4 call"] },
  ],
  [
    "vim",
    {
      "a.vim":
        "function! s:open(x)\n  return a:x\nendfunction\nfunction! MyRun()\n  call s:open(1)\nendfunction\n",
      "b.vim": "call MyRun()\n",
    },
    { "s:open": ["a.vim:5 call"], MyRun: ["b.vim:1 call"] },
  ],
];

test.for(PROJECTS)("%s", async ([, files, expected]) => {
  const users = await usersIn(files);
  const found: Record<string, readonly string[]> = {};
  for (const name of Object.keys(expected)) {
    // oxlint-disable-next-line no-await-in-loop -- in memory
    found[name] = await users(name);
  }
  expect(found).toEqual(expected);
});
