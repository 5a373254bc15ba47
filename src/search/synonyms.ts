// Words that programs use for each other. Each line is one meaning; a word may be on several lines.

const SYNONYM_GROUPS = `
addr address
arg argument param parameter
async asynchronous
attr attribute
auth authenticate authentication authorization
buf buffer
cls class
cmd command
conf config cfg configuration configure
conn connect connection
ctx context
cur current
db database
del delete remove
dep dependency
deserialize decode unmarshal
dir directory folder
doc docs documentation
dst destination
elem element
env environment
err error exception
exec execute run
fmt format
fn func function callback
idx index
impl implement implementation
init initialise initialize
int integer
len length size
lib library
max maximum
min minimum
msg message
mw middleware
num number
obj object
parse parser
pkg package
prev previous
prop property
ptr pointer
ref reference
repo repository
req request
res resp response
serialize encode marshal
sess session
spec specification
src source
std standard
str string
sync synchronous
temp temporary tmp
util utility helper
val value
var variable
ws websocket
`;

const SYNONYMS_BY_WORD = new Map<string, readonly string[]>();
for (const line of SYNONYM_GROUPS.trim().split("\n")) {
  const words = line.split(" ");
  for (const word of words) {
    const others = words.filter((other) => other !== word);
    SYNONYMS_BY_WORD.set(word, [...(SYNONYMS_BY_WORD.get(word) ?? []), ...others]);
  }
}

/** Returns the synonyms of a word in any case. */
export function synonymsOf(word: string): readonly string[] {
  return SYNONYMS_BY_WORD.get(word.toLowerCase()) ?? [];
}
