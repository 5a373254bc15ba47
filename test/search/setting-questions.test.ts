import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { settingQuestion } from "../../src/search/setting-questions.ts";

test.each([
  ["what does POLLING_FREQUENCY do", "POLLING_FREQUENCY"],
  ["What is WORKER_POOL_SIZE for?", "WORKER_POOL_SIZE"],
  ["what is the default of --max-retries", "--max-retries"],
  ["what does the setting mode do", "mode"],
  ["what does the `maxThreads` option mean in the server block", "maxThreads"],
  ["which option controls the batch size", undefined],
  ["what environment variable sets the log level", undefined],
  ["what is the lowest polling interval setting", undefined],
])("'%s' asks about a setting", (text, name) => {
  expect(settingQuestion(text)).toEqual({
    ...(name === undefined ? {} : { name }),
    isCertain: true,
  });
});

test.each([
  ["what does maxQueuedRequests do", "maxQueuedRequests"],
  ["what is the default of concurrent", "concurrent"],
  ["what does keep_files mean", "keep_files"],
])("'%s' asks about a setting unless the name is that of a function or a type", (text, name) => {
  expect(settingQuestion(text)).toEqual({ name, isCertain: false });
});

test.each([
  "what is a token",
  "what does parse do",
  "what is the parser",
  "what does the scheduler do when a feed fails",
  "which options struct is used by the parser",
  "what flags are set in the header",
  "what is the difference between threads and workers",
  "where is maxThreads read",
])("'%s' does not ask about a setting", (text) => {
  expect(settingQuestion(text)).toBeUndefined();
});

test("a question about a setting is one for documentation and for files of settings", () => {
  const tokenizer = createTokenizer();
  const intentOf = (text: string, definesSubject?: boolean): readonly number[] => {
    const { intent, settingIntent } = parseQuery(text, tokenizer, { definesSubject });
    return [intent, settingIntent];
  };
  expect(intentOf("what does MAX_RETRIES do")).toEqual([1, 1]);
  expect(intentOf("what does maxRetries do", false)).toEqual([1, 1]);
  expect(intentOf("what does maxRetries do", true)).toEqual([0, 0]);
  expect(intentOf("what does the retry loop do")).toEqual([0, 0]);
});
