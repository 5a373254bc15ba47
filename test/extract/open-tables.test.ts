import { describe, expect, it } from "vitest";

import { OpenTables } from "../../src/extract/open-tables.ts";

describe("OpenTables", () => {
  it("has the cells of a row, each with its lines, and repeated cells as often as they are", () => {
    const tables = new OpenTables();
    tables.open();
    tables.openRow();
    tables.openCell();
    tables.addLine(" one ", false);
    tables.addLine(" ", false);
    tables.addLine("two", true);
    tables.closeCell();
    tables.openCell(2);
    tables.addLine("  three ", true);
    tables.closeCell();
    const cells = ["one\ntwo", "  three", "  three"];
    expect(tables.closeRow()).toEqual({ cells, isCode: true, around: undefined });
    expect(tables.close()).toBe(true);
  });

  it("has the cell around a table that is in another one", () => {
    const tables = new OpenTables();
    tables.open();
    tables.openRow();
    tables.openCell();
    const outer = tables.cell;
    tables.open();
    tables.openRow();
    tables.openCell();
    tables.closeCell();
    expect(tables.closeRow()?.around).toBe(outer);
    expect(tables.close()).toBe(false);
    expect(tables.cell).toBe(outer);
  });

  it("does nothing without a table, as in damaged documents", () => {
    const tables = new OpenTables();
    tables.openRow();
    tables.openCell();
    tables.closeCell();
    expect(tables.cell).toBeUndefined();
    expect(tables.closeRow()).toBeUndefined();
    expect(tables.close()).toBe(true);
    expect(tables.isEmpty).toBe(true);
  });
});
