// Placeholders that examples have in place of a password.

const PLACEHOLDER =
  /^(?:[$%{[(*.:\\<]|x{3,}$|(?:my|your|the|some|old|new|user|db|database|redis|proxy|secret|test|example)?[-_ ]?(?:pass(?:w(?:or)?d|wd)?|secret|token|redacted|credentials?|port|admin|postgres|root|guest|mysql|user|change[-_]?(?:me|it|this))[0-9]?$)/i;

/** Whether the value is a placeholder for a password, as in documentation, or is substituted later. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || value.includes("${");
}
