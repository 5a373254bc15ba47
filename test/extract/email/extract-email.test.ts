import { describe, expect, it } from "vitest";

import { DocumentError } from "../../../src/base/documents/document.ts";
import { extractEmail } from "../../../src/extract/email/extract-email.ts";

const HEAD = [
  "From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>",
  "To: Ann <ann@example.org>, Team: bob@example.org, eve@example.org;",
  "Subject: =?utf-8?b?UGxhbiDigqw=?=",
  "Date: Fri, 31 May 2024 10:00:00 +0200",
].join("\r\n");

async function read(...lines: readonly string[]): Promise<string> {
  const { text } = await extractEmail(Buffer.from(lines.join("\r\n")));
  return text;
}

async function failure(mail: string): Promise<string> {
  try {
    await extractEmail(Buffer.from(mail));
    return "";
  } catch (error) {
    if (error instanceof DocumentError) return error.failure;
    throw error;
  }
}

describe("extractEmail", () => {
  it("shows the subject, people, date, text with quotations, and names of attachments", async () => {
    const mail = [
      HEAD,
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: multipart/alternative; boundary=c",
      "",
      "--c",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Gr=FC=DFe,",
      "",
      "> quoted",
      ">> twice",
      "--c",
      "Content-Type: text/html",
      "",
      "<p>no</p>",
      "--c--",
      "--b",
      'Content-Type: application/zip; name="a.zip"',
      "Content-Disposition: attachment; filename*=utf-8''%E2%82%AC%0A.zip",
      "Content-Transfer-Encoding: base64",
      "",
      "UEsDBA==",
      "--b--",
    ];
    const document = await extractEmail(Buffer.from(mail.join("\r\n")));
    expect(document.text).toBe(
      "Plan €\n\nFrom: Jürgen <j@example.org>\nTo: Ann <ann@example.org>, bob@example.org, eve@example.org\n" +
        "Date: 2024-05-31T08:00:00Z\n\nGrüße,\n\n> quoted\n>> twice\n\nAttachments:\n- € .zip\n",
    );
    expect(document.headings).toEqual([{ line: 1, level: 1, title: "Plan €" }]);
    expect(document.unit).toBeUndefined();
  });

  it("reads a page if there is no other text", async () => {
    expect(
      await read(
        HEAD,
        "Content-Type: text/html",
        "",
        "<style>no</style><h1>Hello</h1><pre>a\n b</pre>",
      ),
    ).toContain("\n\nHello\n\na\n b\n");
  });

  it("keeps a date without a zone as it is, and shows a message in a message", async () => {
    const text = await read(
      "Date: Fri, 31 May 2024 10:00:00",
      "Content-Type: message/rfc822",
      "",
      "Subject: Inner",
      "",
      "Inside.",
    );
    expect(text).toContain("Date: Fri, 31 May 2024 10:00:00\n");
    expect(text).toContain("Inside.");
  });

  it("reads the first 200,000 lines, and five times as many of base64", async () => {
    const { text, omission } = await extractEmail(Buffer.from(`\r\na${"\n".repeat(200_010)}b`));
    expect(text).toBe("a\n");
    expect(omission).toBe("The rest of the document is too large.");
    const attachment = `--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n${"QUJD\n".repeat(300_000)}`;
    const mail = `Content-Type: multipart/mixed; boundary=b\n\n${attachment}--b\n\nlast\n--b--\n`;
    const whole = await extractEmail(Buffer.from(mail));
    expect(whole.text).toBe("last\n\nAttachments:\n- image/png\n");
    expect(whole.omission).toBeUndefined();
  });

  it("refuses deep nesting, long headers and nothing", async () => {
    const nested = Array.from(
      { length: 2000 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    ).join("");
    expect(await failure(nested)).toBe("document-damaged");
    expect(await failure(`Subject: ${"x".repeat(2 << 20)}\r\n\r\ntext`)).toBe("document-damaged");
    expect(await failure("")).toBe("document-empty");
  });
});
