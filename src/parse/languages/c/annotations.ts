// Macros that annotate a declaration, such as `__init` of `static int __init setup(void)` or `GUARDED_BY(lock)`. The
// grammar of C allows them nowhere, and takes `void` or `__init` for the name.

/** Words before a name, with the spaces and pointers between them: `static int __init `. */
const WORDS = String.raw`(?:[A-Za-z_]\w*(?:[ \t]*\*+[ \t\n]*|[ \t\n]+)){2,7}`;
/** The scopes before a name that is defined outside its class: `sinks::base_sink<Mutex>::`. */
const SCOPES = String.raw`(?:[A-Za-z_]\w*(?:<[^<>;\n]*>)?::)*~?`;
const HEAD = new RegExp(String.raw`^[ \t]*${WORDS}(?=${SCOPES}[A-Za-z_]\w*[ \t]*[(;=,[])`, "gm");
const WORD = /[A-Za-z_]\w*/g;

/** Words that say nothing about the type. */
const QUALIFIERS = new Set(
  "static inline extern const volatile register constexpr virtual explicit friend mutable restrict _Noreturn __inline __inline__ __extension__ typedef template".split(
    " ",
  ),
);
/** With one of these, a head has its type: every other word is an annotation. */
const BUILT_IN = new Set(
  "void int char short long float double signed unsigned bool _Bool auto wchar_t size_t ssize_t".split(
    " ",
  ),
);
const TAGS = new Set(["struct", "union", "enum", "class"]);
/** With one of these, the line is not a declaration. */
const STATEMENT = new Set(
  "return else goto case do if while for switch sizeof new delete throw using namespace public private protected operator define".split(
    " ",
  ),
);
/** Annotations by their form; the last words are calling conventions and the like. */
const ANNOTATION =
  /^(?:__[a-z]\w*|asmlinkage|noinstr|notrace|[a-z_]*inline|__?[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z0-9]*(?:CALL|CALLTYPE|API|APIENTRY|CALLBACK|EXPORT|CDECL|INLINE))$/;
/** Types of compilers and of Linux that begin like annotations. */
const RESERVED_TYPE =
  /^__(?:[usb]e?\d+|[bl]e\d+|u?int\d+(?:_t)?|\w+_t|sum16|wsum|virtio\w*|m\d+[id]?|float\d+|builtin_\w+)$/;

// The text before an annotation is checked last: the first condition fails at most places at once, so that long runs
// of blanks take linear time.

/** After parameters or members: `void f(int a) __acquires(lock) {`, `} __packed;`. */
const AFTER_BRACKET =
  /(?=__[a-z])(?<=[)}\]][ \t\n]*)(?:__[a-z]\w*(?:\([^()\n]*\))?[ \t\n]*){1,6}(?=[{;=])/g;
/** After a name, which may begin like an annotation: `int limit __read_mostly = 1;`. */
const AFTER_NAME =
  /(?=__)(?<=\w[ \t]+)__\w*(?:init(?:data|const)|after_init|exitdata|read_mostly|aligned|unused|used|refdata|section|packed|nosavedata)\w*(?:\([^()\n]*\))?(?=[ \t]*(?:=[^=]|;))/g;
/** With arguments, before a declaration: `static __printf(2, 3) void verbose(…)`. */
const WITH_ARGUMENTS =
  /(?=__[a-z])(?<=^(?:[\w*]+[ \t]+){0,4})__(?!attribute|asm|declspec|typeof)[a-z]\w*\([^()\n]*\)(?=\s+[A-Za-z_]\w*[\s*])/gm;
/** Of a pointer: `const char __user *name`, `void __iomem *base`. */
const OF_POINTER =
  /(?=__[a-z])(?<=\w[ \t]+)(?<!\b(?:struct|union|enum|const|volatile|static|extern|inline|return)[ \t]+)__[a-z]\w*(?=[ \t]*\*)/g;
const UNDERSCORED = [AFTER_BRACKET, AFTER_NAME, WITH_ARGUMENTS, OF_POINTER];

/** Of the analysis of threads: `void lock() EXCLUSIVE_LOCK_FUNCTION() {`, `int size GUARDED_BY(mutex);`. */
const THREADS =
  /\b(?=[A-Z])(?:(?<=\)(?:[ \t\n]*\b(?:const|override|noexcept|final)\b)*[ \t\n]+)[A-Z_]*(?:LOCK|REQUIRES|EXCLUDES|ACQUIRE|RELEASE|THREAD_SAFETY)[A-Z_]*(?:\([^()\n;]*\))?(?=[ \t\n]*(?:[;{=]|[A-Z_]*(?:LOCK|REQUIRES|EXCLUDES)))|(?<=[\w\]][ \t\n]+)[A-Z_]*GUARDED_BY\([^()\n;]*\)(?=[ \t]*[;{=]))/g;

/** Returns the text with annotations replaced by blanks, so that offsets do not change. */
export function withoutAnnotations(text: string): string {
  let clean = text;
  const blankIn = (pattern: RegExp): void => {
    clean = clean.replace(pattern, (found: string, at: number) =>
      RESERVED_TYPE.test(found) || !isCode(text, at) || isAfterCondition(text, at)
        ? found
        : blanks(found),
    );
  };
  if (/\b__[a-z]/.test(text)) for (const pattern of UNDERSCORED) blankIn(pattern);
  if (/LOCK|GUARDED|REQUIRES|EXCLUDES|THREAD_SAFETY/.test(text)) blankIn(THREADS);
  return clean.replace(HEAD, (found: string, at: number) =>
    isCode(text, at) ? typeOnly(found) : found,
  );
}

/** Blanks the words of a head that are neither its type nor qualifiers of it. */
function typeOnly(head: string): string {
  const words = [...head.matchAll(WORD)].map(({ 0: text, index }) => ({ text, index }));
  if (words.some(({ text }) => STATEMENT.has(text))) return head;
  const isTagged = (at: number): boolean => TAGS.has(words[at - 1]?.text ?? "");
  const unknown = words.filter(
    ({ text }, at) =>
      !QUALIFIERS.has(text) && !BUILT_IN.has(text) && !TAGS.has(text) && !isTagged(at),
  );
  const annotations = unknown.filter(
    ({ text }) => ANNOTATION.test(text) && !RESERVED_TYPE.test(text),
  );
  const hasType = words.some(({ text }, at) => BUILT_IN.has(text) || isTagged(at));
  // One word has to be the type: of `BOOL WINAPI close(void)` the first.
  if (!hasType && annotations.length === unknown.length) annotations.shift();
  let clean = head;
  for (const { text, index } of annotations) {
    clean = clean.slice(0, index) + blanks(text) + clean.slice(index + text.length);
  }
  return clean;
}

/** A line that is longer is minified code, which has no comment at its beginning. */
const MAX_LINE = 2000;

/** Returns whether the place is neither in a line of the preprocessor nor in a comment of one line. */
function isCode(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_LINE), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.length === MAX_LINE || !/^(?:#|\/\/|\/?\*)/.test(line.trimStart());
}

/** Longer conditions are not looked through. */
const MAX_CONDITION = 400;

/** Returns whether the place follows a condition: what begins there is a statement, as in `if (a) FLUSH_BLOCK(b);`. */
function isAfterCondition(text: string, at: number): boolean {
  let end = at - 1;
  while (/\s/.test(text[end] ?? "")) end -= 1;
  if (text[end] !== ")") return false;
  let depth = 0;
  for (let place = end; place > Math.max(0, at - MAX_CONDITION); place -= 1) {
    if (text[place] === ")") depth += 1;
    else if (text[place] === "(") depth -= 1;
    if (depth === 0)
      return /\b(?:if|while|for|switch)\s*$/.test(text.slice(Math.max(0, place - 20), place));
  }
  return false;
}

/** Returns as many blanks as the text has characters, and its ends of lines. */
export function blanks(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
