// Questions about what a setting does: "what does POLLING_FREQUENCY do", "which flag limits the retries". Documentation and
// files of settings answer them.

/** Words that mean a setting, and words that may also mean a part of a program. */
const SETTING =
  "settings?|options?|flags?|preferences?|directives?|env(?:ironment)?[ -]var(?:iable)?s?|(?:config(?:uration)?|command[ -]line) (?:variable|option|key|parameter|value|flag|argument|setting)s?";
const PART = "variables?|parameters?|propert(?:y|ies)|props?|fields?|keys?|arguments?";
const KIND = String.raw`(?:(?<kind>${SETTING})|${PART})`;
const NAME = String.raw`["'\x60]?(?<name>(?:--?|/)?[\w][\w.:-]*)["'\x60]?`;
const NAMED = String.raw`(?:the )?(?:${KIND} )?${NAME}`;
const AFTER = String.raw`(?: (?<after>${SETTING})| (?:${PART}))?`;

const MEANINGS = [
  String.raw`what (?:does|do) ${NAMED}${AFTER} (?:do|mean|control|affect|change|configure)\b.{0,40}`,
  String.raw`what(?:'s| is| are) ${NAMED}${AFTER}(?: (?:used |good )?for)?`,
  String.raw`(?:what(?:'s| is| are) )?(?:the )?(?<default>defaults?(?: values?)?|meaning|purpose|effect) (?:of|for) ${NAMED}${AFTER}`,
].map((pattern) => new RegExp(String.raw`^\s*${pattern}\s*\??\s*$`, "i"));

/** A question that asks which setting does something, or describes a setting in several words. */
const WHICH = new RegExp(
  String.raw`^\s*(?:(?:which|what) (?:is the )?(?:${SETTING}) (?:(?:that|to|which|can|will|should|i|you|we) ){0,2}(?:controls?|sets?|enables?|disables?|limits?|turns?|changes?|makes?|configures?|does|specif|determines?|allows?|decides?|defines?|use|need)|what (?:does|is|are) (?:the )?(?:[\w-]+ ){1,6}(?:setting|option|flag|preference|env(?:ironment)?[ -]var(?:iable)?)(?: do| for| mean)?\s*\??\s*$)`,
  "i",
);

/** How all of these begin. The others take milliseconds to compile, which most questions need not wait for. */
const BEGINNING = /^\s*(?:what|which|the\b|default|meaning|purpose|effect)/i;

/** The setting that a question names. */
export interface SettingQuestion {
  /** The setting as written; undefined if the question describes it. */
  readonly name?: string;
  /**
   * False if only the index shows whether the name is a setting: it is not if the index defines it as a function or a
   * type.
   */
  readonly isCertain: boolean;
}

/** Returns what a question asks about a setting; undefined for other questions. */
export function settingQuestion(text: string): SettingQuestion | undefined {
  if (!BEGINNING.test(text)) return undefined;
  for (const pattern of MEANINGS) {
    const groups = pattern.exec(text)?.groups;
    const name = groups?.["name"];
    if (groups === undefined || name === undefined) continue;
    const isCalledOne = groups["kind"] !== undefined || groups["after"] !== undefined;
    const isOption = /^--?[a-z]/i.test(name) || /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);
    if (isCalledOne || isOption) return { name, isCertain: true };
    const isName = /[a-z0-9][A-Z]|[\w]_[\w]|[a-z]\.[a-z]|[a-z]-[a-z]/.test(name);
    if (isName || groups["default"]?.startsWith("default") === true)
      return { name, isCertain: false };
  }
  return WHICH.test(text) ? { isCertain: true } : undefined;
}
