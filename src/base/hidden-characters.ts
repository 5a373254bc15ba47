// Characters that are not seen, and do something all the same: to a terminal, to the order in which text is read,
// or to a model, which reads what a person beside it does not.

/** Marks and overrides that reorder text (Unicode TR 9; CVE-2021-42574). */
export const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Letters of some scripts are joined, and emoji made, with joiners and selectors: those have their neighbours. */
const JOINER = String.raw`(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]`;
/** Zero width, fillers that are letters to a compiler, and annotations. */
const ZERO_WIDTH = String.raw`[\u200b\u2060-\u2064\u206a-\u206f\ufeff\u180e\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufff9-\ufffb]`;
/** One selects a form of the character before it; a row of them is a message. */
const SELECTORS = String.raw`(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]`;
/** Letters that no font shows; flags of regions alone are made of them. */
const TAGS = String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0000}-\u{e007f}]`;

export const INVISIBLE = new RegExp(`${JOINER}|${ZERO_WIDTH}|${SELECTORS}|${TAGS}`, "gu");
/** What moves a cursor, sets a clipboard or rings; `\r` ends lines. */
const CONTROLS = /[\p{Cc}--[\n\t\r\f]]/v;
const NOT_PLAIN_ASCII = /[^\t\n\r\f -~]/;
const HIDDEN: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["control characters", CONTROLS],
  ["bidirectional controls", new RegExp(BIDI_CONTROLS.source, "u")],
  ["invisible characters", new RegExp(INVISIBLE.source, "u")],
];

/** The kinds of hidden characters that a text holds, in words. */
export function hiddenCharacterKinds(text: string): readonly string[] {
  if (!NOT_PLAIN_ASCII.test(text)) return NOTHING;
  return HIDDEN.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind);
}

const NOTHING: readonly string[] = [];
