import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { mayHaveTopic } from "../../src/search/intent.ts";
import { parseQuery, type Query } from "../../src/search/parse-query.ts";
import { topicOf } from "../../src/search/topic-questions.ts";

const tokenizer = createTokenizer();

/** As a search parses it, in a project that is called mailer. */
function parsed(text: string): Query {
  const finder = mayHaveTopic(text) ? topicOf : undefined;
  return parseQuery(text, tokenizer, { names: ["mailer"], topicOf: finder });
}

test.each([
  "what does this project do",
  "what is mailer?",
  "What's this repo for?",
  "what does mailer do",
  "what is this codebase about",
  "tell me about this repository",
  "explain the codebase to me",
  "give me a short overview of the repo",
  "main features",
  "what are the goals of the project",
  "how does it work",
])("'%s' asks for an overview of the project", (text) => {
  expect(parsed(text).topic).toMatchObject({ isAboutAll: true, isCertain: true });
});

test.each([
  ["explain the architecture", "Architecture overview"],
  ["how is the code organized", "Directory structure"],
  ["folder structure", "Project layout"],
  ["getting started with docker", "Getting started"],
  ["installation", "Installing on Linux"],
  ["quick start", "Quickstart"],
  ["how do I run the tests", "Running the tests"],
  ["contribution guidelines", "Contributing to mailer"],
  ["building from source", "Building"],
  ["system requirements", "Prerequisites"],
  ["which browsers are supported", "Supported browsers"],
  ["what license is it under", "LICENSE"],
  ["how is the project licensed", "Licensing"],
  ["who maintains mailer", "Maintainers"],
  ["which companies use it", "ADOPTERS"],
])("'%s' asks for a page such as '%s'", (text, title) => {
  const { topic, intent, asksHow } = parsed(text);
  expect(topic).toMatchObject({ isAboutAll: false, isCertain: true });
  expect(topic?.titles?.test(title.toLowerCase())).toBe(true);
  expect([asksHow, intent]).toEqual([true, 1]);
});

test.each([
  ["what is a spider", "spider"],
  ["What is a Spider in mailer?", "spider"],
  ["what are textobjects", "textobjects"],
  ["what is a JobQueue", "jobqueue"],
  ["what is a package", "package"],
  ["what does a worker do", "worker"],
  ["what does prefetch mean", "prefetch"],
  ["define idempotent", "idempotent"],
  ["explain selection-first editing", "selection first editing"],
  ["can you explain what a worker is", "worker"],
  ["overview of the plugin system", "plugin system"],
])("'%s' asks for a concept, which code may explain as well", (text, subject) => {
  const { topic, intent } = parsed(text);
  expect(topic).toMatchObject({ subject: subject.split(" "), isCertain: false });
  expect(topic?.titles).toBeUndefined();
  expect(intent).toBeLessThan(1);
});

test.each([
  ["where is the retry policy documented", "retry policy"],
  ["where can I read about signals", "signals"],
  ["docs for the scheduler", "scheduler"],
  ["threads vs processes", "threads processes"],
  ["compare redis and rabbitmq", "redis rabbitmq"],
  ["how does it compare to postfix", "postfix"],
])("documentation answers '%s'", (text, subject) => {
  expect(parsed(text).topic).toMatchObject({ subject: subject.split(" "), isCertain: true });
});

test.each([
  "what does parse do",
  "what is parseConfig",
  "what is the Config class",
  "what does this function do",
  "what is the architecture of the plugin loader",
  "what are all the error codes",
  "what is returned when the queue is empty",
  "where is the scheduler defined",
  "how is the cache structured",
  "how does the test runner find files",
  "who calls parseConfig",
  "which functions use the cache",
  "build",
  "design of the lexer",
  "fix the build",
  "what is in src/main.ts",
  "running blocking code inside the async runtime",
  "fix documented default of min_length",
  "learn more about wrapping effects in custom hooks",
  "you can find an introduction to the compiler here",
  "vs code python default indentation",
  "how do the pressures that were measured on the upper wing near the leading edge compare with theory",
])("'%s' asks for no page by its title", (text) => {
  const { topic } = parsed(text);
  expect(topic).toBeUndefined();
});

test("a long query has no topic", () => {
  expect(mayHaveTopic(`what is a ${"very ".repeat(30)}long question`)).toBe(false);
});

test("the words of usual titles find files, and what a question calls the project hardly does", () => {
  const { terms, joined } = parsed("what does this project do");
  const [readme = ""] = tokenizer.split("readme");
  expect(joined.has(readme)).toBe(true);
  expect(terms.get(readme)).toBeGreaterThan(terms.get("project") ?? 1);
});
