// Trees whose own `.git` points into the repository of somebody else.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { plant } from "../../helpers/tree.ts";
import { git, type Attack, type Ground } from "./ground.ts";

function link(target: string, path: string): void {
  rmSync(path, { force: true, recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** A `.git` file; the tree has files of the same names, so that there is something to compare. */
function pointer({ root }: Ground, target: string): void {
  plant(root, { "ledger.ts": "export const own = 1;\n", ".git": `gitdir: ${target}\n` });
}

/** A git directory of the tree, with its missing parts taken from the victim by other means. */
function emptyGit({ root }: Ground, files: Readonly<Record<string, string>> = {}): string {
  plant(root, {
    "ledger.ts": "export const own = 1;\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    ".git/objects/info/": "",
    ".git/objects/pack/": "",
    ".git/refs/heads/": "",
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`.git/${name}`, text])),
  });
  return join(root, ".git");
}

/** Names and the index of the victim's commits, copied by somebody who knows them, without any object. */
function withTheirNames(ground: Ground): string {
  const directory = emptyGit(ground);
  writeFileSync(join(directory, "refs/heads/main"), `${git(ground.victim, "rev-parse", "HEAD")}\n`);
  copyFileSync(join(ground.victim, ".git/index"), join(directory, "index"));
  return directory;
}

function objectsOf(victim: string): string {
  return join(victim, ".git/objects");
}

export const LEADING_OUT: readonly Attack[] = [
  {
    name: "a .git file that names the git directory of another repository",
    build: (ground) => pointer(ground, join(ground.victim, ".git")),
  },
  {
    name: "a .git file with a relative path",
    build: (ground) => pointer(ground, "../victim/.git"),
  },
  {
    name: "a .git file with a path of /proc",
    build: (ground) => pointer(ground, `/proc/self/root${join(ground.victim, ".git")}`),
  },
  {
    name: "a .git that is a link",
    build: (ground) => {
      plant(ground.root, { "ledger.ts": "export const own = 1;\n" });
      link(join(ground.victim, ".git"), join(ground.root, ".git"));
    },
  },
  {
    name: "a .git file that names a link within the tree",
    build: (ground) => {
      pointer(ground, "./inner");
      link(join(ground.victim, ".git"), join(ground.root, "inner"));
    },
  },
  {
    name: "a commondir that leads out",
    build: (ground) => {
      emptyGit(ground, { commondir: `${join(ground.victim, ".git")}\n` });
      copyFileSync(join(ground.victim, ".git/index"), join(ground.root, ".git/index"));
    },
  },
  {
    name: "a commondir behind a commondir",
    build: (ground) => {
      emptyGit(ground, { commondir: "../middle\n" });
      plant(ground.root, { "middle/commondir": `${join(ground.victim, ".git")}\n` });
      link(join(ground.victim, ".git/objects"), join(ground.root, "middle/objects"));
      link(join(ground.victim, ".git/refs"), join(ground.root, "middle/refs"));
      copyFileSync(join(ground.victim, ".git/index"), join(ground.root, ".git/index"));
    },
  },
  {
    name: "a commondir that is a link",
    build: (ground) => {
      emptyGit(ground);
      plant(ground.root, { elsewhere: `${join(ground.victim, ".git")}\n` });
      link("../elsewhere", join(ground.root, ".git/commondir"));
    },
  },
  {
    name: "alternates that name the objects of another repository",
    build: (ground) => {
      const directory = withTheirNames(ground);
      writeFileSync(join(directory, "objects/info/alternates"), `${objectsOf(ground.victim)}\n`);
    },
  },
  {
    name: "alternates by a relative path",
    build: (ground) => {
      const directory = withTheirNames(ground);
      writeFileSync(join(directory, "objects/info/alternates"), "../../../victim/.git/objects\n");
    },
  },
  {
    name: "alternates within alternates",
    build: (ground) => {
      const directory = withTheirNames(ground);
      writeFileSync(join(directory, "objects/info/alternates"), "../../middle\n");
      plant(ground.root, { "middle/info/alternates": `${objectsOf(ground.victim)}\n` });
    },
  },
  {
    name: "alternates in quotes",
    build: (ground) => {
      const directory = withTheirNames(ground);
      const quoted = objectsOf(ground.victim).replaceAll("v", String.raw`\166`);
      writeFileSync(join(directory, "objects/info/alternates"), `"${quoted}"\n`);
    },
  },
  {
    name: "alternates with a path of /proc that means another folder to git",
    build: (ground) => {
      const directory = withTheirNames(ground);
      const path = `/proc/self/root${objectsOf(ground.victim)}`;
      writeFileSync(join(directory, "objects/info/alternates"), `${path}\n`);
    },
  },
  {
    name: "objects that are a link",
    build: (ground) => {
      const directory = withTheirNames(ground);
      link(objectsOf(ground.victim), join(directory, "objects"));
    },
  },
  {
    name: "folders of objects that are links",
    build: (ground) => {
      const directory = withTheirNames(ground);
      const theirs = objectsOf(ground.victim);
      for (const name of readdirSync(theirs)) {
        link(join(theirs, name), join(directory, "objects", name));
      }
    },
  },
  {
    name: "single objects that are links",
    build: (ground) => {
      const directory = withTheirNames(ground);
      const theirs = objectsOf(ground.victim);
      for (const folder of readdirSync(theirs)) {
        for (const name of readdirSync(join(theirs, folder))) {
          link(join(theirs, folder, name), join(directory, "objects", folder, name));
        }
      }
    },
  },
  {
    name: "packs that are links",
    build: (ground) => {
      const directory = withTheirNames(ground);
      const packed = join(dirname(ground.victim), "packed");
      cpSync(ground.victim, packed, { recursive: true });
      git(packed, "gc", "-q");
      for (const name of readdirSync(join(packed, ".git/objects/pack"))) {
        link(join(packed, ".git/objects/pack", name), join(directory, "objects/pack", name));
      }
    },
  },
  {
    name: "an alternate whose objects are links",
    build: (ground) => {
      const directory = withTheirNames(ground);
      writeFileSync(join(directory, "objects/info/alternates"), "../../middle\n");
      const theirs = objectsOf(ground.victim);
      for (const name of readdirSync(theirs))
        link(join(theirs, name), join(ground.root, "middle", name));
    },
  },
  {
    name: "an index that is a link",
    build: (ground) => {
      ground.ownRepository();
      link(join(ground.victim, ".git/index"), join(ground.root, ".git/index"));
    },
  },
  {
    name: "a split index whose shared part is a link",
    build: (ground) => {
      const split = join(dirname(ground.victim), "split");
      rmSync(split, { recursive: true, force: true });
      cpSync(ground.victim, split, { recursive: true });
      git(split, "update-index", "--split-index");
      ground.ownRepository();
      const directory = join(ground.root, ".git");
      copyFileSync(join(split, ".git/index"), join(directory, "index"));
      for (const name of readdirSync(join(split, ".git"))) {
        if (name.startsWith("sharedindex.")) link(join(split, ".git", name), join(directory, name));
      }
    },
  },
  {
    name: "refs, logs and HEAD that are links",
    build: (ground) => {
      ground.ownRepository();
      for (const name of ["refs", "logs", "HEAD"]) {
        link(join(ground.victim, ".git", name), join(ground.root, ".git", name));
      }
    },
  },
  {
    name: "packed refs that are a link",
    build: (ground) => {
      ground.ownRepository();
      rmSync(join(ground.root, ".git/refs/heads/main"));
      const packed = join(dirname(ground.victim), "names");
      plant(packed, {
        "packed-refs": `${git(ground.victim, "rev-parse", "HEAD")} refs/heads/main\n`,
      });
      link(join(packed, "packed-refs"), join(ground.root, ".git/packed-refs"));
    },
  },
  {
    name: "a configuration that names another work tree, and includes another configuration",
    build: (ground) => {
      ground.ownRepository();
      appendFileSync(
        join(ground.root, ".git/config"),
        [
          "[core]",
          `\tworktree = ${ground.victim}`,
          "[include]",
          `\tpath = ${join(ground.victim, ".git/config")}`,
          `[includeIf "gitdir:**"]`,
          `\tpath = ${join(ground.victim, ".git/config")}`,
          "",
        ].join("\n"),
      );
    },
  },
  {
    name: "a linked work tree that the other repository does not know",
    build: (ground) => {
      const name = join(ground.victim, ".git/worktrees/known");
      if (!readdirSync(join(ground.victim, ".git")).includes("worktrees")) {
        git(
          ground.victim,
          "worktree",
          "add",
          "-q",
          "--detach",
          join(dirname(ground.victim), "known"),
        );
      }
      pointer(ground, name);
    },
  },
  {
    name: "a linked work tree within the tree that points back, and on to another repository",
    build: (ground) => {
      pointer(ground, "./fake/worktrees/x");
      plant(ground.root, {
        "fake/worktrees/x/gitdir": `${join(ground.root, ".git")}\n`,
        "fake/worktrees/x/commondir": `${join(ground.victim, ".git")}\n`,
        "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
      });
    },
  },
  {
    name: "a nested repository and a submodule that are those of another",
    build: (ground) => {
      ground.ownRepository();
      plant(ground.root, {
        "nested/ledger.ts": "export const own = 1;\n",
        "nested/.git": `gitdir: ${join(ground.victim, ".git")}\n`,
        "module/.git": `gitdir: ${join(ground.victim, ".git")}\n`,
      });
      const commit = git(ground.victim, "rev-parse", "HEAD~3");
      git(ground.root, "update-index", "--add", "--cacheinfo", `160000,${commit},module`);
      git(ground.root, "commit", "-q", "-m", "a module");
    },
  },
  {
    name: "a .GIT in capitals beside the repository",
    build: (ground) => {
      ground.ownRepository();
      writeFileSync(join(ground.root, ".GIT"), `gitdir: ${join(ground.victim, ".git")}\n`);
      writeFileSync(join(ground.root, ".git "), `gitdir: ${join(ground.victim, ".git")}\n`);
    },
  },
  {
    name: "a .git file that names another by a hard link of its own",
    build: (ground) => {
      plant(dirname(ground.victim), { "pointer-file": `gitdir: ${join(ground.victim, ".git")}\n` });
      plant(ground.root, { "ledger.ts": "export const own = 1;\n" });
      linkSync(join(dirname(ground.victim), "pointer-file"), join(ground.root, ".git"));
    },
  },
  {
    name: "info/exclude and ignore files that are links to a file elsewhere",
    build: (ground) => {
      ground.ownRepository();
      // Were its lines taken for rules, the file that they name would be missing.
      plant(dirname(ground.victim), { rules: "visible.ts\n" });
      plant(ground.root, { "visible.ts": "export const visible = 1;\n" });
      link(join(dirname(ground.victim), "rules"), join(ground.root, ".git/info/exclude"));
      link(join(dirname(ground.victim), "rules"), join(ground.root, ".gitignore"));
    },
  },
  {
    name: "an info folder that is a link",
    build: (ground) => {
      ground.ownRepository();
      plant(dirname(ground.victim), { "rules.d/exclude": "visible.ts\n" });
      plant(ground.root, { "visible.ts": "export const visible = 1;\n" });
      link(join(dirname(ground.victim), "rules.d"), join(ground.root, ".git/info"));
    },
  },
];
