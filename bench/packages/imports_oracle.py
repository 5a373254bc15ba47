"""PYTHON bench/packages/imports_oracle.py PROJECT: where the names that a project imports from packages are defined, as
`inspect` of its virtual environment says. One import a line, as imports-oracle.mjs writes it. Run it with the Python of that
environment: it imports the packages."""

import ast
import importlib
import inspect
import json
import os
import sys
import sysconfig
import typing

project = os.path.realpath(sys.argv[1])
packages = sysconfig.get_paths()["purelib"]


def place(value):
    where = os.path.realpath(inspect.getsourcefile(value))
    if not where.startswith(packages + os.sep):
        raise OSError(where)
    return f"{os.path.relpath(where, packages)}:{inspect.getsourcelines(value)[1]}"


def targets_of(module, name):
    """Overloads are one definition: each of their places counts."""
    try:
        value = inspect.unwrap(getattr(importlib.import_module(module), name))
        if inspect.ismodule(value):
            return []
        overloads = typing.get_overloads(value) if inspect.isfunction(value) else []
        return [place(one) for one in [value, *overloads]]
    except (ImportError, AttributeError, TypeError, OSError):
        return []


seen = set()
for folder, folders, files in os.walk(project):
    folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "venv")
    for file in sorted(files):
        if not file.endswith(".py"):
            continue
        path = os.path.join(folder, file)
        with open(path, encoding="utf-8") as source:
            tree = ast.parse(source.read())
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or node.level > 0:
                continue
            for alias in node.names:
                key = (node.module, alias.name)
                if key in seen:
                    continue
                seen.add(key)
                targets = targets_of(node.module, alias.name)
                if not targets:
                    continue
                row = {"path": os.path.relpath(path, project), "line": alias.lineno, "name": alias.name}
                print(json.dumps({**row, "module": node.module, "targets": targets}))
