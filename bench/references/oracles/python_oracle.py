# python3 python_oracle.py ROOT [COUNT [FOLDER…]] < occurrences.jsonl > judged.jsonl
# What jedi takes each name for: adds "target", "path:line" of the name of the definition in ROOT, or null for
# what is defined in a function, and what is not of ROOT.
import json
import os
import sys

import jedi

root = os.path.realpath(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize
# Without what is installed: that may be another version of the project itself.
standard = [folder for folder in sys.path[1:] if not folder.endswith("-packages")]
# Of several projects in one folder, the folders of their packages.
roots = [os.path.join(root, folder) for folder in sys.argv[3:]] or [os.path.join(root, "src"), root]
project = jedi.Project(root, sys_path=[*roots, *standard], smart_sys_path=False)
scripts = {}


def script_of(path):
    if path not in scripts:
        scripts[path] = jedi.Script(path=os.path.join(root, path), project=project)
    return scripts[path]


def target_of(name):
    if name.module_path is None or name.type in ("param", "module"):
        return None
    path = os.path.relpath(os.path.realpath(name.module_path), root)
    if path.startswith(".."):
        return None
    parent = name.parent()
    is_attribute = name.full_name is not None and name.type in ("instance", "statement")
    while parent is not None and parent.type not in ("module",):
        if parent.type == "function" and not (is_attribute and name.get_line_code().lstrip().startswith("self.")):
            return None
        parent = parent.parent()
    return f"{path}:{name.line}"


for at, line in enumerate(sys.stdin):
    if at >= count:
        break
    use = json.loads(line)
    if use["name"] in ("self", "cls"):
        continue
    try:
        names = script_of(use["path"]).goto(use["line"], use["column"] - 1, follow_imports=True)
    except Exception as problem:
        use["problem"] = repr(problem)
        names = []
    targets = sorted({found for found in map(target_of, names) if found is not None})
    here = f"{use['path']}:{use['line']}"
    use["target"] = targets[0] if targets and targets[0] != here else None
    if len(targets) > 1:
        use["others"] = targets[1:]
    print(json.dumps(use), flush=True)
