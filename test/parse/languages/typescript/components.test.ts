import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("attributes of elements are the properties of their components", async () => {
  const users = await usersIn({
    "src/list.tsx": `import React, { forwardRef, memo, type FC } from "react";
export interface Props { title: string; onPick: (item: Item) => void }
export interface Item { name: string }
export interface State { open: boolean }
export const List = ({ title }: Props) => <b>{title}</b>;
export const Typed: FC<Props> = ({ title }) => <List title={title} onPick={(item) => item.name} />;
export const Forwarded = forwardRef<HTMLElement, Props>(({ title }, ref) => <i>{title}</i>);
export const Plain = memo(forwardRef((props: Props & React.HTMLAttributes<HTMLElement>, ref) => props.title));
export class Panel extends React.Component<Props, State> {
  toggle() { this.setState({ open: !this.state.open }); return this.props.title; }
}
`,
    "src/use.tsx": `import { Forwarded, List, Panel, Plain, Typed } from "./list.tsx";
export const all = (
  <>
    <List title="a" onPick={(item) => item.name} />
    <Typed title="b" />
    <Forwarded title="c" />
    <Plain title="d"></Plain>
    <Panel title="e" />
    <div title="f" />
  </>
);
`,
  });
  expect(await users("Props.title")).toEqual([
    "src/list.tsx:5 value",
    "src/list.tsx:6 value",
    "src/list.tsx:7 value",
    "src/list.tsx:8 value",
    "src/list.tsx:10 value",
    "src/use.tsx:4 value",
    "src/use.tsx:5 value",
    "src/use.tsx:6 value",
    "src/use.tsx:7 value",
    "src/use.tsx:8 value",
  ]);
  expect(await users("State.open")).toEqual(["src/list.tsx:10 value"]);
  expect(await users("Item.name")).toEqual(["src/list.tsx:6 value", "src/use.tsx:4 value"]);
});
