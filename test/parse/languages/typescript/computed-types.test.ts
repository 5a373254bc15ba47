import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

const TYPES = `export interface Task { title: string; owner: Owner }
export interface Owner { email: string }
export function load(id: string, task: Task): Owner { return task.owner; }
export async function fetchTask(): Promise<Task> { return tasks[0]; }
export type Handler = (task: Task) => Owner;
`;

async function usesOf(name: string, lines: readonly string[]): Promise<readonly string[]> {
  const imports = 'import type { Task, Owner, Handler, load, fetchTask } from "./types.ts";';
  const users = await usersIn({
    "src/types.ts": TYPES,
    "src/use.ts": [imports, ...lines, ""].join("\n"),
  });
  return (await users(name)).filter((use) => use.startsWith("src/use.ts"));
}

test("a mapped type over the keys of a type has the members of that type", async () => {
  expect(
    await usesOf("Task.title", [
      "export function a(all: { [K in keyof Task]: Task[K] }) { return all.title; }",
      "type Flags = { readonly [K in keyof Task]?: boolean };",
      "export const flags: Flags = { title: true };",
      "type Mutable<T> = { -readonly [K in keyof T]: T[K] };",
      "export function b(one: Mutable<Task>) { return one.title; }",
      "export function c(flags: { [K in keyof Task]?: boolean }) {}",
      "c({ title: true });",
    ]),
  ).toEqual([2, 4, 6, 8].map((line) => `src/use.ts:${line} value`));
});

test("keys with other names, and keys of no type, are uses by name only", async () => {
  expect(
    await usesOf("Task.title", [
      "export function a(all: { [K in keyof Task as `get${K}`]: Task[K] }) { return all.title; }",
      'export function b(all: { [K in "title" | "other"]: number }) { return all.title; }',
      "export function c(all: { [key: string]: Task }) { return all.title; }",
    ]),
  ).toEqual([2, 3, 4].map((line) => `src/use.ts:${line} value ?`));
});

test("the result of a function is known by its name, its type and a promise", async () => {
  expect(
    await usesOf("Owner.email", [
      "export function a(owner: ReturnType<typeof load>) { return owner.email; }",
      "export function b(owner: ReturnType<Handler>) { return owner.email; }",
      "type Loaded = Awaited<ReturnType<typeof fetchTask>>;",
      "export function c(task: Loaded) { return task.owner.email; }",
      "export function d(owner: ReturnType<typeof missing>) { return owner.email; }",
    ]),
  ).toEqual([2, 3, 5].map((line) => `src/use.ts:${line} value`));
});

test("the type of a parameter is known by its index", async () => {
  expect(
    await usesOf("Task.title", [
      "export function a(task: Parameters<typeof load>[1]) { return task.title; }",
      "export function b(task: Parameters<Handler>[0]) { return task.title; }",
      "export function c(task: Parameters<typeof load>[0]) { return task.title; }",
      "export function d(task: Parameters<typeof load>) { return task.title; }",
    ]),
  ).toEqual([2, 3].map((line) => `src/use.ts:${line} value`));
});
