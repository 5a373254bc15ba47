// Line patterns of languages without a folder of their own: those of hardware, machines, scripts and shaders.
import { C_LINES, FUNCTION_LINE, TYPE_LINES } from "./common-line-patterns.ts";
import { linePattern, type LinePatterns } from "./line-pattern.ts";

/** Labels, up to the next one. Those that begin with `.L` are local. */
export const ASSEMBLY_LINES: LinePatterns = {
  patterns: [
    linePattern("function", "^(?!\\.L|\\d)([A-Za-z_.$@][\\w.$@]*):(?!=)"),
    linePattern("function", "^\\s*[%.]?macro\\s+(\\w+)", "iu"),
    linePattern("function", "^(\\w+)\\s+(?:proc|macro)\\b", "iu"),
  ],
  untilNext: true,
};

export const BATCH_LINES: LinePatterns = {
  patterns: [linePattern("function", "^\\s*:([A-Za-z_][\\w-]*)")],
  untilNext: true,
};

/** Only functions: most names of Nix are settings. */
export const NIX_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "function",
      "^\\s*([A-Za-z_][\\w'-]*)\\s*=\\s*(?:\\{[^}=]*\\}\\s*(?:@\\s*\\w+\\s*)?:|[A-Za-z_][\\w'-]*\\s*:(?!/))",
    ),
  ],
};

export const SHADER_LINES: LinePatterns = { patterns: [...C_LINES, FUNCTION_LINE, ...TYPE_LINES] };

export const TCL_LINES: LinePatterns = {
  patterns: [linePattern("function", "^\\s*proc\\s+(?:::)?([\\w:.-]+)")],
};

export const NIM_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "function",
      "^\\s*(?:proc|func|template|macro|iterator|method|converter)\\s+(\\w+)",
    ),
    linePattern(
      "class",
      "^\\s*(?:type\\s+)?(\\w+)\\*?(?:\\[[^\\]]*\\])?\\s*(?:\\{\\.[^}]*\\.?\\})?\\s*=\\s*(?:ref\\s+|ptr\\s+)?(?:object|enum|tuple|concept)\\b",
    ),
  ],
};

export const VB_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "class",
      "^\\s*(?:(?:public|private|friend|protected|partial|mustinherit|notinheritable|shared)\\s+)*(?:class|structure|module)\\s+(\\w+)",
      "iu",
    ),
    linePattern(
      "type",
      "^\\s*(?:(?:public|private|friend|protected)\\s+)*(?:interface|enum|type)\\s+(\\w+)\\s*$",
      "iu",
    ),
    linePattern(
      "function",
      "^\\s*(?:(?:public|private|friend|protected|shared|static|overrides|overridable|mustoverride|overloads|readonly|default|async)\\s+)*(?:sub|function|property(?:\\s+(?:get|let|set))?)\\s+(\\w+)",
      "iu",
    ),
  ],
};

export const VERILOG_LINES: LinePatterns = {
  patterns: [
    linePattern(
      "module",
      "^\\s*(?:module|interface|package)\\s+(?:automatic\\s+|static\\s+)?(\\w+)",
    ),
    linePattern("class", "^\\s*(?:virtual\\s+)?class\\s+(\\w+)"),
    linePattern(
      "function",
      "^\\s*(?:(?:virtual|static|protected|local|extern|pure)\\s+)*(?:function|task)\\s+(?:[\\w\\[\\]:$-]+\\s+){0,4}(\\w+)\\s*[(;]",
    ),
  ],
};
