#!/usr/bin/env node
// The command of the npm package. It runs the executable of this platform, which npm installs as an optional package, or
// else the program for the user's Node. Every Node version must understand this file, so that an old one can report the
// missing requirement.
"use strict";
/* oxlint-disable unicorn/prefer-node-protocol, no-unused-vars -- old versions of Node know neither `node:` nor `catch` without a name */

var fs = require("fs");
var path = require("path");

var OLDEST = 24;
var SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

var system = process.platform === "win32" ? "win" : process.platform;
var platform = system + "-" + process.arch;
var executable = findExecutable();

if (executable !== undefined) {
  run(executable);
} else if (parseInt(process.versions.node, 10) >= OLDEST) {
  // oxlint-disable-next-line import/no-unassigned-import -- it starts by being loaded
  require("../lib/boot.cjs");
} else {
  console.error(
    "svc: this is Node " +
      process.versions.node +
      ", and svc needs " +
      OLDEST +
      " or later, or the package svc-" +
      platform +
      " with its executable, which is not installed or does not run here. Install a newer Node (https://nodejs.org), " +
      "or install svc again without --omit=optional, or take the executable of svc, which brings its own.",
  );
  process.exitCode = 2;
}

function findExecutable() {
  // The executables of Linux are linked against glibc; another C library (Alpine) cannot start them.
  if (process.platform === "linux" && !hasGlibc()) return undefined;
  try {
    var manifest = require.resolve("svc-" + platform + "/package.json");
    var name = process.platform === "win32" ? "svc.exe" : "svc";
    var file = path.join(path.dirname(manifest), "bin", name);
    return fs.existsSync(file) ? file : undefined;
  } catch (error) {
    return undefined;
  }
}

function hasGlibc() {
  if (process.report === undefined) return false;
  // Else the report resolves the name of each address of this machine.
  process.report.excludeNetwork = true;
  var report = process.report.getReport();
  var header = (typeof report === "string" ? JSON.parse(report) : report).header;
  return header.glibcVersionRuntime !== undefined;
}

function run(file) {
  var args = process.argv.slice(2);
  // The executable takes the place of this process: its signals, its exit code and its input need nobody in between.
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.execve(file, [file].concat(args), process.env);
  }
  var child = require("child_process").spawn(file, args, { stdio: "inherit" });
  SIGNALS.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("error", function (error) {
    console.error("svc: cannot start " + file + ": " + error.message);
    process.exitCode = 2;
  });
  child.on("exit", function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
