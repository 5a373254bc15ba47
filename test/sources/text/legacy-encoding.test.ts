import { expect, test } from "vitest";

import { decodeText } from "../../../src/sources/text/decode-text.ts";
import { decodeAsDeclared } from "../../../src/sources/text/legacy-encoding.ts";

const CODE = "\nchar *read_config(const char *path);\n";

function latin1(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** A comment in an old encoding, above a line of C. */
function source(comment: string): Buffer {
  return Buffer.concat([Buffer.from(comment, "base64"), Buffer.from(CODE)]);
}

test.each([
  ["GB 18030", "Ly8gtsHIocXk1sPOxLz+o6zKp7DcyrG3tbvYv9XWuNXr", "读取配置文件，失败时返回空指针"],
  ["Big5", "Ly8gxaqo+rNdqXfAyaFBpaKx0a7JtsemXqrFq/y80A==", "讀取設定檔，失敗時傳回空指標"],
  [
    "Shift JIS",
    "Ly8gkN2S6IN0g0CDQ4OLgvCTx4LdjZ6C3YLcgreBQo64lHOCtYK9j+qNh4LNi/OC8JXUgrWC3IK3",
    "設定ファイルを読み込みます。失敗した場合は空を返します",
  ],
  [
    "EUC-JP",
    "Ly8gwN/E6qXVpaGlpKXrpPLGyaTfuf6k36TepLmho7y6x9Skt6S/vuy556TPtvWk8srWpLek3qS5",
    "設定ファイルを読み込みます。失敗した場合は空を返します",
  ],
  [
    "EUC-KR",
    "Ly8gvLPBpCDGxMDPwLsgwNC9wLTPtNkuIL3HxtDHz7jpILrzILCqwLsgtbm3wcHdtM+02Q==",
    "설정 파일을 읽습니다. 실패하면 빈 값을 돌려줍니다",
  ],
  [
    "Windows-1251",
    "Ly8g1+jy4OXyIPTg6esg7eDx8vDu5eog6CDi7ufi8OD54OXyIO/z8fLu6SDz6uDn4PLl6/wg7/DoIO746OHq5Q==",
    "Читает файл настроек и возвращает пустой указатель при ошибке",
  ],
  [
    "KOI8-R",
    "Ly8g/snUwcXUIMbByswgzsHT1NLPxcsgySDXz9rX0sHdwcXUINDV09TPyiDVy8HawdTFzNgg0NLJIM/bycLLxQ==",
    "Читает файл настроек и возвращает пустой указатель при ошибке",
  ],
])("a comment in %s is read without a declaration", (_, comment, expected) => {
  expect(decodeText(source(comment))).toEqual({
    text: `// ${expected}${CODE}`,
    isAscii: false,
    isBinary: false,
    isReadable: true,
  });
});

test.each([
  ["Python and Emacs", "# -*- coding: iso-8859-2 -*-\n"],
  ["Vim", "# vim: set fileencoding=latin2 :\n"],
  ["XML", '<?xml version="1.0" encoding="ISO-8859-2"?>\n'],
  ["HTML", '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">\n'],
  ["gettext", '"Content-Type: text/plain; charset=ISO_8859-2\\n"\n'],
  ["LaTeX", "\\usepackage[latin2]{inputenc}\n"],
])("the encoding that a file declares as %s does counts", (_, declaration) => {
  const text = latin1(`${declaration}za\xbf\xf3\xb3\xe6\n`);
  expect(decodeText(text).text).toBe(`${declaration}zażółć\n`);
});

test("Vim's declaration at the end counts, and one for other encodings than the file's does not", () => {
  const lines = "line\n".repeat(1000);
  expect(decodeText(latin1(`${lines}za\xbf\xf3\xb3\xe6\n# vim: fenc=latin2\n`)).text).toBe(
    `${lines}zażółć\n# vim: fenc=latin2\n`,
  );
  for (const label of ["utf-8", "us-ascii", "utf-16", "no-such-thing"]) {
    expect(decodeAsDeclared(latin1(`# coding: ${label}\ncaf\xe9\n`))).toBeUndefined();
    expect(decodeText(latin1(`# coding: ${label}\ncaf\xe9\n`)).text).toContain("café");
  }
});

test("names of Windows code pages are known", () => {
  const file = Buffer.concat([Buffer.from("# coding: cp936\n"), Buffer.from("tsHIoQ==", "base64")]);
  expect(decodeText(file).text).toBe("# coding: cp936\n读取");
});

test("a damaged file in UTF-8 stays in UTF-8, whatever it says of encodings", () => {
  const text = "# charset=iso-8859-1 was common: größer, naïve, 設定\n";
  const damaged = Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x0a])]);
  expect(decodeText(damaged)).toMatchObject({ text: `${text}\uFFFD\n`, isReadable: true });
});

test("a few words of Japanese are enough", () => {
  expect(decodeText(source("Ly8gkN2S6ILwk8c=")).text).toBe(`// 設定を読${CODE}`);
  expect(decodeText(source("Ly8gwN/E6qTyxsk=")).text).toBe(`// 設定を読${CODE}`);
});

test("two such letters in a row inside of a word are western", () => {
  expect(decodeText(latin1("// Gr\xf6\xdfe des Puffers\n")).text).toBe("// Größe des Puffers\n");
});

test("text in no known encoding is read with gaps, and bytes that are no text are not", () => {
  const foreign = decodeText(latin1("int open_door(void); /* \xa1\xfe\x81\x20\xfd\xfe\x80 */\n"));
  expect(foreign).toMatchObject({ isReadable: true, isBinary: false });
  expect(foreign.text).toContain("int open_door(void); /* ");
  expect(decodeText(latin1(`\x01\x02${"\xfe\xff\x81a".repeat(40)}`)).isReadable).toBe(false);
});
