import { expect, test } from "vitest";

import { importsIn } from "../../references/reference-lines.ts";

const SOURCE = `library shop;
import 'package:http/http.dart' as http show Client;
import 'src/a.dart' if (dart.library.io) 'src/b.dart';
import 'src/c.dart' show A, B;
import 'src/d.dart' hide C;
export 'src/e.dart' show E;
export 'src/f.dart' hide F;
part 'shop.g.dart';
part of 'all.dart';
part of shop.all;
`;

test("imports have prefixes, shown and hidden names, and parts have marks", async () => {
  expect(await importsIn("dart", SOURCE)).toEqual([
    "2 package:http/http.dart *>http Client>",
    "3 src/a.dart wildcard",
    "3 src/b.dart wildcard",
    "4 src/c.dart A>A B>B",
    "5 src/d.dart -C> wildcard",
    "6 src/e.dart E>E reexport",
    "7 src/f.dart -F> wildcard reexport",
    "8 shop.g.dart <part>> wildcard reexport",
    "9 all.dart <part of>> wildcard",
    "10 shop.all <part of>> wildcard",
  ]);
});
