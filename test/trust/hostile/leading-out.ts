// Trees whose own `.git` points into someone else's repository.
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
import { git, type Attack, type AttackSite } from "./attack-site.ts";

function link(target: string, path: string): void {
  rmSync(path, { force: true, recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** A `.git` file; the tree has files of the same names, so that there is something to compare. */
function pointer({ root }: AttackSite, target: string): void {
  plant(root, { "ledger.ts": "export const own = 1;\n", ".git": `gitdir: ${target}\n` });
}

/** A git directory of the tree, with its missing parts taken from the victim by other means. */
function emptyGit({ root }: AttackSite, files: Readonly<Record<string, string>> = {}): string {
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
function withTheirNames(site: AttackSite): string {
  const directory = emptyGit(site);
  writeFileSync(join(directory, "refs/heads/main"), `${git(site.victim, "rev-parse", "HEAD")}\n`);
  copyFileSync(join(site.victim, ".git/index"), join(directory, "index"));
  return directory;
}

function objectsOf(victim: string): string {
  return join(victim, ".git/objects");
}

export const LEADING_OUT: readonly Attack[] = [
  {
    name: "a .git file that names the git directory of another repository",
    build: (site) => pointer(site, join(site.victim, ".git")),
  },
  {
    name: "a .git file with a relative path",
    build: (site) => pointer(site, "../victim/.git"),
  },
  {
    name: "a .git file with a path of /proc",
    build: (site) => pointer(site, `/proc/self/root${join(site.victim, ".git")}`),
  },
  {
    name: "a .git that is a link",
    build: (site) => {
      plant(site.root, { "ledger.ts": "export const own = 1;\n" });
      link(join(site.victim, ".git"), join(site.root, ".git"));
    },
  },
  {
    name: "a .git file that names a link within the tree",
    build: (site) => {
      pointer(site, "./inner");
      link(join(site.victim, ".git"), join(site.root, "inner"));
    },
  },
  {
    name: "a commondir that leads out",
    build: (site) => {
      emptyGit(site, { commondir: `${join(site.victim, ".git")}\n` });
      copyFileSync(join(site.victim, ".git/index"), join(site.root, ".git/index"));
    },
  },
  {
    name: "a commondir behind a commondir",
    build: (site) => {
      emptyGit(site, { commondir: "../middle\n" });
      plant(site.root, { "middle/commondir": `${join(site.victim, ".git")}\n` });
      link(join(site.victim, ".git/objects"), join(site.root, "middle/objects"));
      link(join(site.victim, ".git/refs"), join(site.root, "middle/refs"));
      copyFileSync(join(site.victim, ".git/index"), join(site.root, ".git/index"));
    },
  },
  {
    name: "a commondir that is a link",
    build: (site) => {
      emptyGit(site);
      plant(site.root, { elsewhere: `${join(site.victim, ".git")}\n` });
      link("../elsewhere", join(site.root, ".git/commondir"));
    },
  },
  {
    name: "alternates that name the objects of another repository",
    build: (site) => {
      const directory = withTheirNames(site);
      writeFileSync(join(directory, "objects/info/alternates"), `${objectsOf(site.victim)}\n`);
    },
  },
  {
    name: "alternates by a relative path",
    build: (site) => {
      const directory = withTheirNames(site);
      writeFileSync(join(directory, "objects/info/alternates"), "../../../victim/.git/objects\n");
    },
  },
  {
    name: "alternates within alternates",
    build: (site) => {
      const directory = withTheirNames(site);
      writeFileSync(join(directory, "objects/info/alternates"), "../../middle\n");
      plant(site.root, { "middle/info/alternates": `${objectsOf(site.victim)}\n` });
    },
  },
  {
    name: "alternates in quotes",
    build: (site) => {
      const directory = withTheirNames(site);
      const quoted = objectsOf(site.victim).replaceAll("v", String.raw`\166`);
      writeFileSync(join(directory, "objects/info/alternates"), `"${quoted}"\n`);
    },
  },
  {
    name: "alternates with a path of /proc that means another folder to git",
    build: (site) => {
      const directory = withTheirNames(site);
      const path = `/proc/self/root${objectsOf(site.victim)}`;
      writeFileSync(join(directory, "objects/info/alternates"), `${path}\n`);
    },
  },
  {
    name: "objects that are a link",
    build: (site) => {
      const directory = withTheirNames(site);
      link(objectsOf(site.victim), join(directory, "objects"));
    },
  },
  {
    name: "folders of objects that are links",
    build: (site) => {
      const directory = withTheirNames(site);
      const theirs = objectsOf(site.victim);
      for (const name of readdirSync(theirs)) {
        link(join(theirs, name), join(directory, "objects", name));
      }
    },
  },
  {
    name: "single objects that are links",
    build: (site) => {
      const directory = withTheirNames(site);
      const theirs = objectsOf(site.victim);
      for (const folder of readdirSync(theirs)) {
        for (const name of readdirSync(join(theirs, folder))) {
          link(join(theirs, folder, name), join(directory, "objects", folder, name));
        }
      }
    },
  },
  {
    name: "packs that are links",
    build: (site) => {
      const directory = withTheirNames(site);
      const packed = join(dirname(site.victim), "packed");
      cpSync(site.victim, packed, { recursive: true });
      git(packed, "gc", "-q");
      for (const name of readdirSync(join(packed, ".git/objects/pack"))) {
        link(join(packed, ".git/objects/pack", name), join(directory, "objects/pack", name));
      }
    },
  },
  {
    name: "an alternate whose objects are links",
    build: (site) => {
      const directory = withTheirNames(site);
      writeFileSync(join(directory, "objects/info/alternates"), "../../middle\n");
      const theirs = objectsOf(site.victim);
      for (const name of readdirSync(theirs))
        link(join(theirs, name), join(site.root, "middle", name));
    },
  },
  {
    name: "an index that is a link",
    build: (site) => {
      site.ownRepository();
      link(join(site.victim, ".git/index"), join(site.root, ".git/index"));
    },
  },
  {
    name: "a split index whose shared part is a link",
    build: (site) => {
      const split = join(dirname(site.victim), "split");
      rmSync(split, { recursive: true, force: true });
      cpSync(site.victim, split, { recursive: true });
      git(split, "update-index", "--split-index");
      site.ownRepository();
      const directory = join(site.root, ".git");
      copyFileSync(join(split, ".git/index"), join(directory, "index"));
      for (const name of readdirSync(join(split, ".git"))) {
        if (name.startsWith("sharedindex.")) link(join(split, ".git", name), join(directory, name));
      }
    },
  },
  {
    name: "refs, logs and HEAD that are links",
    build: (site) => {
      site.ownRepository();
      for (const name of ["refs", "logs", "HEAD"]) {
        link(join(site.victim, ".git", name), join(site.root, ".git", name));
      }
    },
  },
  {
    name: "packed refs that are a link",
    build: (site) => {
      site.ownRepository();
      rmSync(join(site.root, ".git/refs/heads/main"));
      const packed = join(dirname(site.victim), "names");
      plant(packed, {
        "packed-refs": `${git(site.victim, "rev-parse", "HEAD")} refs/heads/main\n`,
      });
      link(join(packed, "packed-refs"), join(site.root, ".git/packed-refs"));
    },
  },
  {
    name: "a configuration that names another work tree, and includes another configuration",
    build: (site) => {
      site.ownRepository();
      appendFileSync(
        join(site.root, ".git/config"),
        [
          "[core]",
          `\tworktree = ${site.victim}`,
          "[include]",
          `\tpath = ${join(site.victim, ".git/config")}`,
          `[includeIf "gitdir:**"]`,
          `\tpath = ${join(site.victim, ".git/config")}`,
          "",
        ].join("\n"),
      );
    },
  },
  {
    name: "a linked work tree that the other repository does not know",
    build: (site) => {
      const name = join(site.victim, ".git/worktrees/known");
      if (!readdirSync(join(site.victim, ".git")).includes("worktrees")) {
        git(site.victim, "worktree", "add", "-q", "--detach", join(dirname(site.victim), "known"));
      }
      pointer(site, name);
    },
  },
  {
    name: "a linked work tree within the tree that points back, and on to another repository",
    build: (site) => {
      pointer(site, "./fake/worktrees/x");
      plant(site.root, {
        "fake/worktrees/x/gitdir": `${join(site.root, ".git")}\n`,
        "fake/worktrees/x/commondir": `${join(site.victim, ".git")}\n`,
        "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
      });
    },
  },
  {
    name: "a nested repository and a submodule that are those of another",
    build: (site) => {
      site.ownRepository();
      plant(site.root, {
        "nested/ledger.ts": "export const own = 1;\n",
        "nested/.git": `gitdir: ${join(site.victim, ".git")}\n`,
        "module/.git": `gitdir: ${join(site.victim, ".git")}\n`,
      });
      const commit = git(site.victim, "rev-parse", "HEAD~3");
      git(site.root, "update-index", "--add", "--cacheinfo", `160000,${commit},module`);
      git(site.root, "commit", "-q", "-m", "a module");
    },
  },
  {
    name: "a .GIT in capitals next to the repository",
    build: (site) => {
      site.ownRepository();
      writeFileSync(join(site.root, ".GIT"), `gitdir: ${join(site.victim, ".git")}\n`);
      writeFileSync(join(site.root, ".git "), `gitdir: ${join(site.victim, ".git")}\n`);
    },
  },
  {
    name: "a .git file that names another by a hard link of its own",
    build: (site) => {
      plant(dirname(site.victim), { "pointer-file": `gitdir: ${join(site.victim, ".git")}\n` });
      plant(site.root, { "ledger.ts": "export const own = 1;\n" });
      linkSync(join(dirname(site.victim), "pointer-file"), join(site.root, ".git"));
    },
  },
  {
    name: "info/exclude and ignore files that are links to a file elsewhere",
    build: (site) => {
      site.ownRepository();
      // If svc took its lines for rules, the file that they name would be missing.
      plant(dirname(site.victim), { rules: "visible.ts\n" });
      plant(site.root, { "visible.ts": "export const visible = 1;\n" });
      link(join(dirname(site.victim), "rules"), join(site.root, ".git/info/exclude"));
      link(join(dirname(site.victim), "rules"), join(site.root, ".gitignore"));
    },
  },
  {
    name: "an info folder that is a link",
    build: (site) => {
      site.ownRepository();
      plant(dirname(site.victim), { "rules.d/exclude": "visible.ts\n" });
      plant(site.root, { "visible.ts": "export const visible = 1;\n" });
      link(join(dirname(site.victim), "rules.d"), join(site.root, ".git/info"));
    },
  },
];
