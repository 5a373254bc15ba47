import { expect, it } from "vitest";

import { cheapCuts, sections } from "../../chunk/helpers.ts";

const pod = (text: string): string[] => sections(text, "pod");

it("headings of POD nest by their number", () => {
  expect(pod("=head1 A\n\n=head2 B\n\ntext\n\n=head1 C\n\n=item no\n")).toEqual([
    "1-5 A",
    "  3-5 B",
    "7-9 C",
  ]);
});

it("headings of POD lose their formatting codes", () => {
  expect(
    pod("=head1 C<< $a->b >> and L<the B<page>|perlre/x>, E<lt>STDINE<gt>X<index> a < b\n"),
  ).toEqual(["1-1 $a->b and the page, <STDIN> a < b"]);
});

it("headings of POD are not found in text of other formats", () => {
  expect(pod("=head1 A\n\n=begin html\n\n=head1 no\n\n=end html\n\n=head1 B\n")).toEqual([
    "1-7 A",
    "9-9 B",
  ]);
});

it("code of POD is not cut at its blank lines", () => {
  expect(cheapCuts("a\n\n  b\n\n  c\n\nd", "pod")).toEqual([3, 7]);
});
