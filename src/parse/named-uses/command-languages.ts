// Languages of commands, and those in which the case of letters has no meaning.

import { wordSet, type CodeNameRules } from "./name-rules.ts";
import {
  DASH_COMMENT,
  DOUBLED_SINGLE_TEXT,
  DOUBLED_TEXT,
  HASH_COMMENT,
  LONG_TEXT,
  PLAIN_NAME,
  SEMICOLON_COMMENT,
} from "./token-syntaxes.ts";

export const POWERSHELL_NAMES: CodeNameRules = {
  syntax: {
    comments: `<#[^]*?(?:#>|$)|(?<![\\w\`])#[^\\n]*`,
    texts: `@"[ \\t]*\\r?\\n[^]*?(?:\\n"@|$)|@'[ \\t]*\\r?\\n[^]*?(?:\\n'@|$)|"[^"\`]*(?:(?:\`[^]|"")[^"\`]*)*"?|'(?:[^']|'')*'?`,
    names:
      "[$@](?:\\{[^}\\n]{0,200}\\}|(?:(?:global|script|local|private|using|env):)?\\w+|[?^_$])|-[A-Za-z]\\w*:?|[A-Za-z_]\\w*(?:-\\w+)*",
    codeInTexts: /\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g,
  },
  keywords: wordSet(
    "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from function hidden if in inlinescript parallel param process return sequence static switch throw trap try until using var while workflow write-host write-output write-verbose write-debug write-warning write-error get-item get-childitem set-item new-item remove-item copy-item test-path join-path split-path resolve-path get-content set-content add-content out-file out-null out-string foreach-object where-object select-object sort-object measure-object group-object new-object add-member get-member get-command import-module remove-module export-modulemember get-module set-strictmode add-type convertto-json convertfrom-json start-process invoke-command invoke-expression set-location get-location push-location pop-location get-variable set-variable get-date start-sleep string int bool object hashtable array psobject pscustomobject switch scriptblock type void char long double datetime describe context it should beforeeach aftereach beforeall afterall",
  ),
  joins: new Set([".", "::"]),
  values: "own",
  commandStarts: wordSet("; | { ( & && || ! = += , . return -not -and -or else process end begin"),
  hasTypesBeforeNames: true,
  selves: wordSet("$this"),
  ignoresCase: true,
};

export const CMAKE_NAMES: CodeNameRules = {
  syntax: {
    comments: `#\\[(?<fence>=*)\\[[^]*?(?:\\]\\k<fence>\\]|$)|${HASH_COMMENT}`,
    texts: `\\[(?<open>=*)\\[[^]*?(?:\\]\\k<open>\\]|$)|${LONG_TEXT}|\\$<[A-Z_]+:`,
    names: "\\$(?:ENV)?\\{[^}\\n]{0,200}\\}[\\w./-]*|[A-Za-z_][\\w.+-]*",
  },
  keywords: wordSet(
    "if elseif else endif foreach endforeach while endwhile function endfunction macro endmacro return break continue block endblock set unset option message list string math file include find_package find_library find_path find_program project cmake_minimum_required cmake_policy cmake_parse_arguments add_library add_executable add_subdirectory add_custom_command add_custom_target add_definitions add_compile_options add_dependencies add_test target_link_libraries target_include_directories target_compile_definitions target_compile_options target_sources target_compile_features include_directories link_directories link_libraries install export set_target_properties set_property get_property get_target_property get_filename_component configure_file execute_process enable_testing enable_language include_guard mark_as_advanced set_source_files_properties source_group try_compile check_include_file check_symbol_exists separate_arguments public private interface shared static module object imported global alias version and or not strequal matches equal less greater defined target exists command policy test in_list on off true false cache internal bool filepath path append required components destination targets archive library runtime properties",
  ),
  joins: new Set(["::"]),
  values: "all",
  skipsConstants: true,
  mayHaveSpaceBeforeBrackets: true,
  ignoresCase: true,
  skipsLineAfter: wordSet("include endfunction endmacro find_package set unset project"),
};

export const TCL_NAMES: CodeNameRules = {
  syntax: {
    comments: "(?<=^|\\n[ \\t]*|;[ \\t]*)#[^\\n]*",
    texts: LONG_TEXT,
    names: "\\$?\\{?(?:::)?[A-Za-z_][\\w:]*",
  },
  keywords: wordSet(
    "proc set if else elseif while for foreach switch return break continue expr incr append lappend list lindex llength lrange lreplace lsearch lsort string regexp regsub puts gets open close read eof catch error eval uplevel upvar global variable namespace package source unset array dict info format scan split join file glob exec after bind pack grid place button label entry frame text canvas toplevel winfo wm destroy focus event update then default try on finally throw lassign lset concat rename trace",
  ),
  joins: new Set(),
  values: "own",
  commandStarts: wordSet("; [ {"),
};

export const BATCH_NAMES: CodeNameRules = {
  syntax: {
    comments: "(?<=^|\\n[ \\t]*)(?:[rR][eE][mM]\\b|::)[^\\n]*",
    texts: '"[^"\\n]*"?',
    names: "[A-Za-z_][\\w-]*",
  },
  keywords: wordSet(
    "call goto if else for in do set echo exit not exist errorlevel setlocal endlocal eof",
  ),
  joins: new Set(),
  values: "own",
  commandStarts: wordSet(": goto call"),
  hasCommandsInside: true,
  hasOnlyCalls: true,
  ignoresCase: true,
};

export const SQL_NAMES: CodeNameRules = {
  syntax: {
    comments: `${DASH_COMMENT}|\\{#[^]*?(?:#\\}|$)`,
    texts: "'(?:[^']|'')*'?",
    names: '"[\\w$ ]+"|`[\\w$ ]+`|\\[[A-Za-z_][\\w$ ]*\\]|[@#:]{0,2}[A-Za-z_][\\w$]*',
  },
  keywords: wordSet(
    "select from where and or not in exists between like is null join inner left right full outer cross on using group by order having limit offset union all distinct as case when then else end insert into values update set delete create alter drop table view function procedure trigger index sequence schema type returns return begin declare if elsif loop while for exit raise exception language plpgsql sql immutable stable volatile primary key foreign references unique check default constraint add column with recursive cast coalesce count sum min max avg array row over partition interval now date time timestamp varchar char text int integer bigint smallint numeric decimal float double boolean bool serial uuid json jsonb grant revoke to execute perform call exec replace temporary temp cascade restrict nullif greatest least lower upper trim length substring position extract round floor ceil abs string_agg array_agg row_number rank lag lead concat left right nvl decode to_char to_date to_number sysdate dateadd datediff getdate isnull convert unnest generate_series any some setof out inout variadic strict security definer invoker cost rows parallel safe",
  ),
  joins: new Set(["."]),
  values: "own",
  mayHaveSpaceBeforeBrackets: true,
  hasLowerCaseModules: true,
  ignoresCase: true,
};

export const FORTRAN_NAMES: CodeNameRules = {
  syntax: {
    comments: "![^\\n]*|(?<=^|\\n)[cC*](?=[^A-Za-z\\d_=(%])[^\\n]*",
    texts: `${DOUBLED_TEXT}|${DOUBLED_SINGLE_TEXT}`,
    names: "[A-Za-z_]\\w*",
  },
  keywords: wordSet(
    "program module subroutine function end use only implicit none integer real double precision complex logical character type class dimension allocatable pointer target intent in out inout optional parameter save public private contains call return if then else elseif endif do while enddo select case where elsewhere endwhere forall cycle exit stop print write read open close inquire allocate deallocate nullify data common equivalence external intrinsic interface procedure pure elemental recursive result abs sqrt exp log sin cos tan max min mod sum product size shape reshape transpose matmul dot_product present associated allocated trim len adjustl index int nint dble cmplx aimag kind any all count maxval minval huge tiny epsilon",
  ),
  joins: new Set(),
  values: "own",
  mayHaveSpaceBeforeBrackets: true,
  ignoresCase: true,
  skipsLineAfter: wordSet("use end"),
  importsDefinitions: true,
};

export const PASCAL_NAMES: CodeNameRules = {
  syntax: {
    comments: "//[^\\n]*|\\{[^}]*\\}?|\\(\\*[^]*?(?:\\*\\)|$)",
    texts: DOUBLED_SINGLE_TEXT,
    names: "&?[A-Za-z_]\\w*",
  },
  keywords: wordSet(
    "and array as asm begin case class const constructor destructor dispinterface div do downto else end except exports file finalization finally for function goto if implementation in inherited initialization inline interface is label library mod nil not object of or out packed procedure program property raise record repeat resourcestring set shl shr string then threadvar to try type unit until uses var while with xor private protected public published virtual override abstract overload reintroduce static read write default integer boolean byte word cardinal int64 double single char pchar pointer ansistring true false result self length setlength high low inc dec ord chr writeln write readln copy pos delete insert assigned free create exit break continue sizeof format inttostr strtoint",
  ),
  joins: new Set(["."]),
  values: "own",
  selves: wordSet("Self self"),
  mayHaveSpaceBeforeBrackets: true,
  ignoresCase: true,
  skipsLineAfter: wordSet("uses unit"),
};

export const VB_NAMES: CodeNameRules = {
  syntax: {
    comments: "'[^\\n]*|(?<=^|\\n[ \\t]*)[rR][eE][mM]\\b[^\\n]*",
    texts: DOUBLED_TEXT,
    names: PLAIN_NAME,
  },
  keywords: wordSet(
    "addhandler addressof and andalso as boolean byref byte byval call case catch cbool cbyte cdate cdbl char cint class clng const continue csng cstr ctype date decimal declare default delegate dim directcast do double each else elseif end enum erase error event exit false finally for friend function get gettype global gosub goto handles if implements imports in inherits integer interface is isnot let lib like long loop me mod module mustinherit mustoverride mybase myclass namespace new next not nothing object of on operator option optional or orelse overloads overridable overrides paramarray private property protected public raiseevent readonly redim rem resume return select set shared short single static step stop string structure sub synclock then throw to true try type typeof until using variant when while with withevents writeonly xor msgbox len mid left right trim ucase lcase instr replace split join ubound lbound array format val str chr asc",
  ),
  joins: new Set(["."]),
  values: "types",
  declares: wordSet("Dim dim Const ByVal ByRef Each"),
  inherits: wordSet("Inherits Implements"),
  selves: wordSet("Me me MyClass"),
  ignoresCase: true,
  skipsLineAfter: wordSet("imports end namespace"),
};

export const VHDL_NAMES: CodeNameRules = {
  syntax: { comments: "--[^\\n]*", texts: `${DOUBLED_TEXT}|'[^\\n]'`, names: "[A-Za-z]\\w*" },
  keywords: wordSet(
    "abs access after alias all and architecture array assert attribute begin block body buffer bus case component configuration constant disconnect downto else elsif end entity exit file for function generate generic group guarded if impure in inertial inout is label library linkage literal loop map mod nand new next nor not null of on open or others out package port postponed procedure process pure range record register reject rem report return rol ror select severity signal shared sla sll sra srl subtype then to transport type unaffected units until use variable wait when while with xnor xor std_logic std_logic_vector unsigned signed integer natural boolean ieee rising_edge falling_edge to_integer to_unsigned resize work",
  ),
  joins: new Set(),
  values: "own",
  hasInstances: true,
  mayHaveSpaceBeforeBrackets: true,
  ignoresCase: true,
  skipsLineAfter: wordSet("end library"),
};

export const ASSEMBLY_NAMES: CodeNameRules = {
  syntax: {
    comments: `${SEMICOLON_COMMENT}|/\\*[^]*?(?:\\*/|$)|(?:#|//|@)[^\\n]*`,
    texts: '"[^"\\n]*"?',
    names: "[%$]?[A-Za-z_.][\\w.$@]*",
  },
  keywords: wordSet(""),
  joins: new Set(),
  values: "own",
  commandStarts: wordSet(
    "call callq jmp je jne jz jnz jg jl jge jle ja jb jae jbe js jns jmpq b bl blx beq bne bge blt bgt ble cbz cbnz j jal la lea leaq adr adrp tail beqz bnez bhi bls bcs bcc",
  ),
  hasCommandsInside: true,
  ignoresCase: true,
};
