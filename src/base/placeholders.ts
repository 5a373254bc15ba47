// What examples put where a password goes.

const PLACEHOLDER =
  /^(?:[$%{[(*.:\\<]|x{3,}$|(?:my|your|the|some|old|new|user|db|database|redis|proxy|secret|test|example)?[-_ ]?(?:pass(?:w(?:or)?d|wd)?|secret|token|redacted|credentials?|port|admin|postgres|root|guest|mysql|user|change[-_]?(?:me|it|this))[0-9]?$)/i;

/** Whether the value stands for a password, as in documentation, or is put in later. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || value.includes("${");
}
