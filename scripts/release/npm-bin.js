#!/usr/bin/env node
// The command of the npm package. Every Node version must understand it, so that an old one can report what is missing.
"use strict";

var OLDEST = 24;

if (parseInt(process.versions.node, 10) < OLDEST) {
  console.error(
    "svc: this is Node " +
      process.versions.node +
      ", and svc needs " +
      OLDEST +
      " or later. Install it (https://nodejs.org), or take the executable of svc, which brings its own.",
  );
  process.exitCode = 2;
} else {
  // oxlint-disable-next-line import/no-unassigned-import -- it starts by being loaded
  require("../lib/boot.cjs");
}
