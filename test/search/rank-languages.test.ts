// Documentation in many languages is found with other forms of its words.
import { expect, test } from "vitest";

import { MULTILINGUAL, MULTILINGUAL_QUESTIONS } from "../helpers/multilingual-files.ts";
import { sharedIndexes } from "./searchable.ts";

const indexOf = sharedIndexes();

test.each(MULTILINGUAL_QUESTIONS)("%s is answered by %s", async (question, path) => {
  const { search } = await indexOf(MULTILINGUAL);
  const [first] = await search(question);
  expect(first?.path).toBe(path);
});

test("a long line is cut to the part with the words of the question", async () => {
  const filler = "今天天气很好我们去公园散步看花";
  const text = `# 说明\n\n${filler.repeat(40)}数据库连接池${filler.repeat(40)}\n`;
  const { search } = await indexOf({ "a.md": text });
  const [first] = await search("数据库连接池");
  expect(first?.text).toContain("数据库连接池");
});
