// Files that may trip a scanner: by their names, content or depth.

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};

/** Bytes by name, and the expected result: text that is found, or the reason why the file is skipped. */
export function oddFiles(): Readonly<
  Record<string, { readonly content: string | Uint8Array; readonly is: string }>
> {
  const word = "oddNeedle";
  const long = `var a="${"x1;".repeat(30_000)}";`;
  return {
    "minified.js": { content: long, is: "minified" },
    "binary.ts": { content: Buffer.from(`a\0b ${word}`), is: "binary" },
    "late-nul.ts": { content: `${"// a line of text\n".repeat(600)}\0 ${word}\n`, is: "text" },
    "png.ts": { content: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), is: "binary" },
    "utf16le.ts": { content: utf16(`const ${word} = 1;\n`, false), is: "text" },
    "utf16be.ts": { content: utf16(`const ${word} = 1;\n`, true), is: "text" },
    "bom.ts": { content: `\ufeffconst ${word} = 1;\n`, is: "text" },
    "bom-alone.ts": { content: "\ufeff", is: "any" },
    "half-utf16.ts": { content: Buffer.from([0xff, 0xfe, 0x41]), is: "any" },
    "latin1.ts": {
      content: Buffer.concat([
        Buffer.from(`// ${word} caf`),
        Buffer.of(0xe9, 0x0a),
        Buffer.from("// more text\n".repeat(40)),
      ]),
      is: "text",
    },
    "invalid.ts": { content: Buffer.alloc(5000, 0xfe), is: "encoding" },
    "truncated.ts": { content: Buffer.from([0x61, 0xf0, 0x9f]), is: "any" },
    "surrogates.ts": { content: Buffer.from([0xed, 0xa0, 0x80, 0x0a]), is: "any" },
    "empty.ts": { content: "", is: "any" },
    "newlines.ts": { content: "\n".repeat(500_000), is: "any" },
    "returns.ts": { content: `${word}\r${"\r".repeat(1000)}`, is: "text" },
    "no-end.ts": { content: `const ${word} = 1;`, is: "text" },
    "deep.json": { content: "[".repeat(200_000), is: "any" },
    "deep.ts": { content: `${"(".repeat(20_000)}\n${word}\n`, is: "text" },
    "deep.md": { content: `${"> ".repeat(10_000)}${word}\n`, is: "text" },
    "words.txt": { content: `${word} ${"a".repeat(40_000)}\n`, is: "text" },
    "lines.ts": { content: `// ${word}\n${"x = 1\n".repeat(60_000)}`, is: "text" },
    "-dash.ts": { content: `${word}\n`, is: "text" },
    "--help": { content: `${word}\n`, is: "text" },
    "new\nline.ts": { content: `${word}\n`, is: "text" },
    "tab\tname.ts": { content: `${word}\n`, is: "text" },
    "esc\u001b[2Jname.ts": { content: `${word}\n`, is: "text" },
    " space .ts": { content: `${word}\n`, is: "text" },
    "back\\slash.ts": { content: `${word}\n`, is: "text" },
    "colon:1-2.ts": { content: `${word}\n`, is: "text" },
    "hash#a.ts": { content: `${word}\n`, is: "text" },
    "*.ts": { content: `${word}\n`, is: "text" },
    "'quote\".ts": { content: `${word}\n`, is: "text" },
    __proto__: { content: `${word}\n`, is: "text" },
    "constructor.ts": { content: `${word}\n`, is: "text" },
    "Case.ts": { content: `${word}\n`, is: "text" },
    "case.ts": { content: `${word}\n`, is: "text" },
    "CASE.ts": { content: `${word}\n`, is: "text" },
    "e\u0301.ts": { content: `${word}\n`, is: "text" },
    "\u00e9.ts": { content: `${word}\n`, is: "text" },
    "\u202egnp.ts": { content: `${word}\n`, is: "text" },
    "bytes\u{10FFFF}\u{10FFFE}.ts": { content: `${word}\n`, is: "text" },
    [`${"n".repeat(252)}.ts`]: { content: `${word}\n`, is: "text" },
    [`${"d/".repeat(255)}a.ts`]: { content: `${word}\n`, is: "text" },
    [`${"d/".repeat(255)}e/b.ts`]: { content: "", is: "too-deep" },
    [`${`${"p".repeat(200)}/`.repeat(19)}a.ts`]: { content: `${word}\n`, is: "text" },
  };
}
