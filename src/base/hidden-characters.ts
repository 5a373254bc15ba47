// Invisible characters with an effect: on a terminal, on the reading order of text, or on a model, which reads
// characters that a person does not see.

/** Marks and overrides that reorder text (Unicode TR 9; CVE-2021-42574). */
export const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Joiners outside their legitimate use, which is between letters of some scripts and in emoji. */
const JOINER = String.raw`(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]`;
/** Zero-width characters, fillers that compilers accept as letters, and annotation marks. */
const ZERO_WIDTH = String.raw`[\u200b\u2060-\u2064\u206a-\u206f\ufeff\u180e\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufff9-\ufffb]`;
/** Variation selectors. One selects a form of the character before it; a run of them can hide a message. */
const SELECTORS = String.raw`(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]`;
/** Tag characters, which no font shows. Only the flags of regions use them. */
const TAGS = String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0000}-\u{e007f}]`;

/** Made when it is first needed: its sets of characters take a millisecond of each start. */
export function invisibleCharacters(): RegExp {
  invisible ??= new RegExp(`${JOINER}|${ZERO_WIDTH}|${SELECTORS}|${TAGS}`, "gu");
  return invisible;
}

let invisible: RegExp | undefined;
/** Characters that move a cursor, set a clipboard or ring the bell. `\r` is allowed because it ends lines. */
const CONTROLS = /[\p{Cc}--[\n\t\r\f]]/v;
const NOT_PLAIN_ASCII = /[^\t\n\r\f -~]/;
const BIDI = new RegExp(BIDI_CONTROLS.source, "u");

/** The names of the kinds of hidden characters in a text. */
export function hiddenCharacterKinds(text: string): readonly string[] {
  if (!NOT_PLAIN_ASCII.test(text)) return NOTHING;
  const kinds: readonly (readonly [kind: string, isThere: boolean])[] = [
    ["control characters", CONTROLS.test(text)],
    ["bidirectional controls", BIDI.test(text)],
    // `search` and not `test`, which would begin at the end of the last match.
    ["invisible characters", text.search(invisibleCharacters()) !== -1],
  ];
  return kinds.filter(([, isThere]) => isThere).map(([kind]) => kind);
}

const NOTHING: readonly string[] = [];
