// Recognizes documentation of the past: pages such as changelogs, and sentences about removed or renamed things.

/** Names of pages and folders that describe earlier versions, plans or other projects. */
const PAST_PATH =
  /(?:^|\/)(?:change-?logs?|changes|history|news|releases?|release[-_ ]?notes?|whats?-?new|upgrad\w*|migrat\w*|announc\w*|archive[ds]?|old|legacy|deprecat\w*|blog|posts?|adrs?|decisions?|rfcs?|seps?|keps?|peps?|designs?|design[-_]docs?|proposals?|plans?|versioned[_-]docs|authors|contributors|credits|thanks|roadmap|todo|v?\d+(?:\.\w+)+)(?:[-_. ][^/]*)?(?:\/|$)/i;

const PAST_WORDS =
  /\b(?:remov(?:ed|al|es|ing)|deprecat(?:e|ed|es|ion|ions|ing)|former(?:ly)?|previous(?:ly)?|rename[ds]?|no longer|used to|legacy|obsoleted?|superseded|replac(?:e|ed|es|ement|ing)|dropped|discontinued|prior to|(?:earlier|older|old|past) (?:versions?|releases?|names?|api|style|behaviou?r)|before (?:[A-Z]?\w+ )?v?\d|until (?:[A-Z]?\w+ )?v?\d|migrat(?:e|ed|es|ion|ing)|upgrad(?:e|ed|es|ing)|backwards?[- ]compat\w*|instead of|any ?more|version(?:added|changed|removed)|changed (?:in|from|to)|(?:was|were) (?:added|changed|introduced)|updating (?:your |existing )?code|porting|breaking|historical(?:ly)?|originally|eliminated|gone|extracted|split (?:off|out)|moved (?:in|to|out)\w*)\b|\bwas (?:called|named|present|available|supported)\b|does(?:n['’]t| not) exist/i;
/** Code in the text: its names may contain such words. */
const CODE = /`[^`]*`|^\s*\.\. (?!version|deprecated)[\w:-]+::.*$/gm;

/** Whether a page speaks of the past as a whole, by its path. */
export function isPastPath(path: string): boolean {
  return PAST_PATH.test(path);
}

/** Whether a heading or a paragraph is about something that no longer exists. */
export function speaksOfPast(text: string): boolean {
  return PAST_WORDS.test(text.replace(CODE, " "));
}
