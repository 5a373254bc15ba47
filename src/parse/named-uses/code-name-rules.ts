// The languages without a grammar of which there are rules for names.

import {
  CLOJURE_NAMES,
  FSHARP_NAMES,
  LISP_NAMES,
  NIX_NAMES,
  OCAML_NAMES,
} from "./applied-languages.ts";
import {
  AWK_NAMES,
  CRYSTAL_NAMES,
  D_NAMES,
  ERLANG_NAMES,
  GROOVY_NAMES,
  JULIA_NAMES,
  NIM_NAMES,
  PERL_NAMES,
  SHADER_NAMES,
  STARLARK_NAMES,
  VERILOG_NAMES,
  VIM_NAMES,
} from "./bracket-languages.ts";
import {
  ASSEMBLY_NAMES,
  BATCH_NAMES,
  CMAKE_NAMES,
  FORTRAN_NAMES,
  PASCAL_NAMES,
  POWERSHELL_NAMES,
  SQL_NAMES,
  TCL_NAMES,
  VB_NAMES,
  VHDL_NAMES,
} from "./command-languages.ts";
import type { CodeNameRules } from "./name-rules.ts";

/** By language id. */
export const CODE_NAME_RULES: Readonly<Record<string, CodeNameRules>> = {
  assembly: ASSEMBLY_NAMES,
  awk: AWK_NAMES,
  batch: BATCH_NAMES,
  clojure: CLOJURE_NAMES,
  cmake: CMAKE_NAMES,
  crystal: CRYSTAL_NAMES,
  d: D_NAMES,
  elisp: LISP_NAMES,
  erlang: ERLANG_NAMES,
  fortran: FORTRAN_NAMES,
  fsharp: FSHARP_NAMES,
  groovy: GROOVY_NAMES,
  julia: JULIA_NAMES,
  lisp: LISP_NAMES,
  nim: NIM_NAMES,
  nix: NIX_NAMES,
  ocaml: OCAML_NAMES,
  pascal: PASCAL_NAMES,
  perl: PERL_NAMES,
  powershell: POWERSHELL_NAMES,
  shader: SHADER_NAMES,
  sql: SQL_NAMES,
  starlark: STARLARK_NAMES,
  tcl: TCL_NAMES,
  vb: VB_NAMES,
  verilog: VERILOG_NAMES,
  vhdl: VHDL_NAMES,
  vim: VIM_NAMES,
};
