// Languages in which calls have brackets.

import { wordSet, type CodeNameRules } from "./name-rules.ts";
import {
  CHARACTER,
  HASH_COMMENT,
  LONG_TEXT,
  PLAIN_NAME,
  PERCENT_COMMENT,
  SINGLE_TEXT,
  SLASH_COMMENT,
  TEXT,
  TRIPLE_SINGLE_TEXT,
  TRIPLE_TEXT,
} from "./token-syntaxes.ts";

const DOT = new Set(["."]);

/** Text in one of the quotes of Perl. */
const PERL_QUOTES =
  "(?<![\\w$@%>])q[qwrx]?\\s?(?:\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]{0,400}\\}){0,400}\\})*\\}?|\\([^)]*\\)?|\\[[^\\]]*\\]?|<[^>\\n]*>|/[^/\\n]*/|\\|[^|\\n]*\\||![^!\\n]*!)";
const PERL_PATTERNS =
  "(?<![\\w$@%>])(?:s|tr|y)(?:/[^/\\\\\\n]*(?:\\\\.[^/\\\\\\n]*)*/[^/\\\\\\n]*(?:\\\\.[^/\\\\\\n]*)*/\\w*|\\{[^}]*\\}?(?:\\s?\\{[^}]*\\}?)?\\w*)|(?<![\\w$@%>])m(?:/[^/\\\\\\n]*(?:\\\\.[^/\\\\\\n]*)*/|\\{[^}]*\\}?|![^!\\n]*!)\\w*|(?<=[=!]~[ ]?|[(,!][ ]?|split |and |or |if |unless |return |&& |\\|\\| )/[^/\\\\\\n]*(?:\\\\.[^/\\\\\\n]*)*/\\w*";
const PERL_HEREDOC =
  "<<~?(?<quote>[\"']?)(?<tag>[A-Z_][A-Z_\\d]*)\\k<quote>[^]*?(?:\\n[ \\t]*\\k<tag>(?=\\n|$)|$)";

export const PERL_NAMES: CodeNameRules = {
  syntax: {
    comments: `#[^\\n]*|(?<![^\\n])=[a-zA-Z][^]*?(?:\\n=cut[^\\n]*|$)|__(?:END|DATA)__[^]*`,
    texts: `${PERL_HEREDOC}|${PERL_QUOTES}|${PERL_PATTERNS}|"(?:[^"\\\\\\n]|\\\\[^]|\\n(?!=[a-z]))*"?|'(?:[^'\\\\\\n]|\\\\[^]|\\n(?!=[a-z]))*'?|\`[^\`]*\`?`,
    names: "[$@%&]#?\\{?\\^?\\w+\\}?|[A-Za-z_]\\w*(?:(?:::|')[A-Za-z_]\\w*)*(?:::)?",
  },
  keywords: wordSet(
    "my our local state sub package use no require return if elsif else unless while until for foreach do eval given when default last next redo goto and or not xor eq ne lt gt le ge cmp x print printf say push pop shift unshift splice map grep sort reverse keys values each delete exists defined undef ref bless die warn croak carp confess open close binmode read write seek tell eof join split sprintf substr index rindex lc uc lcfirst ucfirst length chomp chop chr ord abs int sqrt hex oct rand srand time localtime gmtime sleep exit system exec fork wait waitpid kill wantarray scalar local pos quotemeta pack unpack sprintf mkdir rmdir unlink rename opendir readdir closedir stat lstat chdir chmod chown utime glob caller lock tie untie tied select sysread syswrite BEGIN END INIT CHECK UNITCHECK __PACKAGE__ __FILE__ __LINE__ __SUB__ STDIN STDOUT STDERR ok is isnt like unlike is_deeply subtest done_testing plan diag note pass fail async await class method field try catch finally",
  ),
  joins: new Set(["->"]),
  values: "own",
  pathMark: "::",
  hasMembersOutside: true,
  callsMembers: true,
  ofAllObjects: wordSet("isa can does DOES import unimport VERSION"),
  keyMarks: new Set(["=>"]),
  notAfter: new Set(["{", "-"]),
  selves: wordSet("$self $class __PACKAGE__ $this shift"),
  mayHaveSpaceBeforeBrackets: true,
  skipsLineAfter: wordSet("package"),
};

export const ERLANG_NAMES: CodeNameRules = {
  syntax: {
    comments: PERCENT_COMMENT,
    texts: `${LONG_TEXT}|'[^'\\\\\\n]*(?:\\\\[^][^'\\\\\\n]*)*'?|\\$(?:\\\\[^]|[^\\\\])`,
    names: "[?#]?[A-Za-z_][\\w@]*",
  },
  keywords: wordSet(
    "after and andalso band begin bnot bor bsl bsr bxor case catch cond div end fun if let maybe not of or orelse receive rem try when xor else true false ok error undefined module export import include include_lib define record type spec callback behaviour behavior opaque export_type",
  ),
  joins: new Set([":"]),
  values: "own",
  hasLowerCaseModules: true,
  hasUpperCaseVariables: true,
  selves: wordSet("?MODULE"),
  hasAtoms: true,
  keyMarks: new Set(["=>", ":="]),
  skipsStatementAfter: wordSet("spec callback type opaque export export_type"),
};

export const JULIA_NAMES: CodeNameRules = {
  syntax: {
    comments: "#=|#[^\\n]*",
    nested: ["#=", "=#"],
    // `:name` is a symbol.
    texts: `${TRIPLE_TEXT}|${LONG_TEXT}|${CHARACTER}|\`[^\`]*\`?|(?<![\\w)\\]:]):[A-Za-z_]\\w*!?`,
    names: `@?${PLAIN_NAME}(?:!(?!=))?`,
    codeInTexts: /\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g,
  },
  keywords: wordSet(
    "abstract as baremodule begin break catch const continue do else elseif end export false finally for function global if import in isa let local macro module mutable nothing outer primitive public quote return struct true try type using where while new missing pi Inf NaN Any Int Int32 Int64 UInt8 Float32 Float64 Bool String Symbol Vector Matrix Array Dict Tuple NamedTuple Union Nothing Type Function Number Real Integer Complex AbstractArray AbstractVector AbstractMatrix AbstractString Set Expr Module length size push! map filter sum zip println print typeof isempty first last eltype collect similar copy get haskey keys values error throw ntuple reshape view vcat hcat ones zeros fill rand randn Ref eachindex enumerate broadcast convert promote string join isa max min abs getfield setfield! ArgumentError DimensionMismatch @test @testset @inbounds @inline @noinline @show @info @warn @assert @eval @doc @views @. @__MODULE__ @time @test_throws",
  ),
  joins: DOT,
  values: "types",
  assigns: new Set(["="]),
  declares: wordSet("for let local do catch"),
  declaresUntil: wordSet("in = begin end ∈"),
  arrows: new Set(["->"]),
  typeMarks: new Set(["::"]),
  inherits: new Set(["<:"]),
  importsDefinitions: true,
  skipsLineAfter: wordSet("using import export public"),
};

export const GROOVY_NAMES: CodeNameRules = {
  syntax: {
    comments: SLASH_COMMENT,
    texts: `${TRIPLE_TEXT}|${TRIPLE_SINGLE_TEXT}|${TEXT}|${SINGLE_TEXT}|(?<=[=(,:~][ ]?)/[^/\\n*][^/\\n]*/`,
    names: "[\\p{L}_$][\\p{L}\\p{N}_$]*",
    codeInTexts: /\$\{([^{}]*)\}/g,
  },
  keywords: wordSet(
    "abstract as assert boolean break byte case catch char class const continue def default do double else enum extends false final finally float for goto if implements import in instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this threadsafe throw throws trait transient true try var void volatile while it given when then expect where cleanup and setup String Object Integer Boolean List Map Set Class Long Double println print plugins dependencies repositories apply tasks implementation testImplementation api id version",
  ),
  joins: new Set([".", "?.", ".&", "*."]),
  values: "types",
  assigns: new Set(["="]),
  hasTypesBeforeNames: true,
  declares: wordSet("def var"),
  arrows: new Set(["->"]),
  inherits: wordSet("extends implements"),
  selves: wordSet("this"),
  hasPackages: true,
  ofAllObjects: wordSet("getClass toString equals hashCode"),
  keyMarks: new Set([":"]),
  skipsLineAfter: wordSet("import package"),
};

export const STARLARK_NAMES: CodeNameRules = {
  syntax: {
    comments: HASH_COMMENT,
    texts: `${TRIPLE_TEXT}|${TRIPLE_SINGLE_TEXT}|${TEXT}|${SINGLE_TEXT}`,
    names: PLAIN_NAME,
  },
  keywords: wordSet(
    "and break continue def elif else for if in lambda load not or pass return glob select package exports_files licenses package_group True False None dict len list range str tuple",
  ),
  joins: DOT,
  values: "own",
  assigns: new Set(["="]),
  declares: wordSet("for lambda"),
  declaresUntil: wordSet("in :"),
};

export const NIM_NAMES: CodeNameRules = {
  syntax: {
    comments: "#\\[|#[^\\n]*",
    nested: ["#[", "]#"],
    texts: `${TRIPLE_TEXT}|${TEXT}|${CHARACTER}`,
    names: PLAIN_NAME,
  },
  keywords: wordSet(
    "addr and as asm bind block break case cast concept const continue converter defer discard distinct div do elif else end enum except export finally for from func if import in include interface is isnot iterator let macro method mixin mod nil not notin object of or out proc ptr raise ref return shl shr static template try tuple type using var when while xor yield echo len add result true false int string bool float char seq array openArray set high low ord inc dec assert doAssert $ newSeq contains quit",
  ),
  joins: DOT,
  values: "types",
  declares: wordSet("let var const for"),
  declaresUntil: wordSet("= in"),
  inherits: new Set(["of"]),
  hasMembersOutside: true,
  skipsLineAfter: wordSet("import include export from"),
};

export const CRYSTAL_NAMES: CodeNameRules = {
  syntax: {
    comments: HASH_COMMENT,
    texts: `${LONG_TEXT}|${CHARACTER}|%[wqQi]?[({<][^)}>\\n]{0,400}[)}>]`,
    names: "[@]{0,2}[\\p{L}_][\\p{L}\\p{N}_]*[?!]?",
    codeInTexts: /#\{([^{}]*)\}/g,
  },
  keywords: wordSet(
    "abstract alias annotation as asm begin break case class def do else elsif end ensure enum extend false for fun if in include instance_sizeof is_a? lib macro module next nil nil? of offsetof out pointerof private protected record require rescue responds_to? return select self sizeof struct super then true type typeof uninitialized union unless until verbatim when while with yield puts p pp raise getter setter property loop spawn String Int32 Int64 Bool Array Hash Nil Float64 Char Symbol Proc Tuple",
  ),
  joins: new Set([".", "::"]),
  values: "types",
  assigns: new Set(["="]),
  typeMarks: new Set([":"]),
  inherits: wordSet("< include extend"),
  selves: wordSet("self"),
  skipsLineAfter: wordSet("require"),
};

export const D_NAMES: CodeNameRules = {
  syntax: {
    comments: SLASH_COMMENT,
    texts: `${LONG_TEXT}|${CHARACTER}|\`[^\`]*\`?`,
    names: PLAIN_NAME,
  },
  keywords: wordSet(
    "abstract alias align asm assert auto body bool break byte case cast catch char class const continue debug default delegate delete deprecated do double else enum export extern false final finally float for foreach function goto if immutable import in inout int interface invariant is lazy long mixin module new nothrow null out override package private protected public pure real ref return scope shared short static struct super switch synchronized template this throw true try typeof ubyte uint ulong union unittest ushort version void while with string size_t writeln writefln",
  ),
  joins: DOT,
  values: "types",
  hasTypesBeforeNames: true,
  assigns: new Set(["="]),
  selves: wordSet("this"),
  skipsLineAfter: wordSet("import module"),
};

export const SHADER_NAMES: CodeNameRules = {
  syntax: { comments: `${SLASH_COMMENT}|#\\w*`, texts: TEXT, names: PLAIN_NAME },
  keywords: wordSet(
    "const in out inout uniform varying attribute struct if else for while do return break continue discard switch case default void bool int uint float half double vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 bvec2 bvec3 bvec4 mat2 mat3 mat4 float2 float3 float4 float3x3 float4x4 int2 int3 int4 uint2 uint3 uint4 half2 half3 half4 sampler2D samplerCube texture texture2D Texture2D SamplerState layout precision lowp mediump highp flat smooth define ifdef ifndef endif elif include version extension pragma cbuffer register static fn let var abs acos all any asin atan ceil clamp cos cross degrees ddx ddy dFdx dFdy distance dot exp exp2 floor fract frac fwidth inversesqrt rsqrt length lerp log log2 max min mix mod mul normalize pow radians reflect refract round saturate sign sin smoothstep sqrt step tan tex2D textureLod transpose array vec2f vec3f vec4f mat3x3f mat4x4f f32 i32 u32 workgroup storage read_write",
  ),
  joins: DOT,
  values: "types",
  hasTypesBeforeNames: true,
  assigns: new Set(["="]),
  declares: wordSet("let var"),
};

export const AWK_NAMES: CodeNameRules = {
  syntax: { comments: HASH_COMMENT, texts: TEXT, names: "\\$?[A-Za-z_]\\w*" },
  keywords: wordSet(
    "BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close strftime systime asort asorti",
  ),
  joins: new Set(),
  values: "own",
};

export const VIM_NAMES: CodeNameRules = {
  syntax: {
    comments: '(?<=^|\\n|\\n[ \\t]+)"[^\\n]*|(?<=[ \\t])"[^"\\n]*(?=\\n)',
    texts: `"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"|'(?:[^'\\n]|'')*'`,
    names: "(?:[sgablvtw]:|<SID>)?[A-Za-z_][\\w#]*",
  },
  keywords: wordSet(
    "function endfunction if else elseif endif for endfor while endwhile try catch finally endtry return call let unlet set execute exe autocmd augroup command def enddef var const echo echom silent normal abort exists has len empty get add split join map filter printf expand getline setline line col bufnr substitute match matchstr type string keys values",
  ),
  joins: DOT,
  values: "own",
};

export const VERILOG_NAMES: CodeNameRules = {
  syntax: { comments: SLASH_COMMENT, texts: LONG_TEXT, names: "[`$]?[A-Za-z_][\\w$]*" },
  keywords: wordSet(
    "module endmodule input output inout wire reg logic bit int integer byte real time assign always always_ff always_comb always_latch initial begin end if else case casez casex endcase default for while repeat forever function endfunction task endtask parameter localparam generate endgenerate genvar posedge negedge or and not xor nand nor package endpackage import export interface endinterface modport class endclass extends virtual typedef enum struct union packed signed unsigned return automatic static const string void property endproperty sequence endsequence assert cover assume disable fork join join_any join_none wait new this super unique priority foreach do break continue inside with rand randc constraint supply0 supply1 tri",
  ),
  joins: new Set(["::"]),
  values: "own",
  hasInstances: true,
  importsDefinitions: true,
  inherits: wordSet("extends"),
  notAfter: DOT,
  skipsLineAfter: wordSet("endmodule endpackage endclass endfunction endtask endinterface"),
};
