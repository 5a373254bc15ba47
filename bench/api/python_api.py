"""Prints what the public modules of a package of Python offer, as the interpreter sees it.

Usage: python_api.py FOLDER PACKAGE[,PACKAGE]
"""

import importlib
import inspect
import json
import pkgutil
import sys
import warnings

warnings.simplefilter("ignore")
folder, listed_packages = sys.argv[1:]
packages = listed_packages.split(",")
sys.path.insert(0, folder)
modules, names = [], {}


def kind_of(value):
    if inspect.isclass(value):
        return "class"
    if isinstance(value, property) or not callable(value):
        return "value"
    return "function"


def parameters_of(value):
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        [p.name if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) else "", p.kind.name, p.default is not p.empty]
        for p in found
    ]


def members_of(name, value):
    """Own members, and what it inherits of the package."""
    for member in dir(value):
        is_special = member.startswith("__") and member.endswith("__")
        if member.startswith("_") and not is_special:
            continue
        for base in value.__mro__:
            if member in vars(base):
                break
        else:
            continue
        if base.__module__.split(".")[0] not in packages:
            continue
        raw = vars(base)[member]
        if is_special and not inspect.isfunction(getattr(raw, "__func__", raw)):
            continue
        inner = raw.__func__ if isinstance(raw, (staticmethod, classmethod)) else raw
        kind = "value" if isinstance(raw, property) else kind_of(inner)
        if type(raw).__name__ == "cached_property":
            kind = "value"
        parameters = parameters_of(inner) if kind == "function" else None
        if parameters is not None and not isinstance(raw, staticmethod):
            parameters = parameters[1:]
        names[f"{name}.{member}"] = {
            "kind": kind,
            "parameters": parameters,
            "own": base is value,
            "of": f"{base.__module__}.{base.__qualname__}.{member}",
        }


def add(module):
    listed = getattr(module, "__all__", None)
    is_package = hasattr(module, "__path__")
    for name, value in list(vars(module).items()):
        if listed is not None and name not in listed:
            continue
        if name.startswith("_") or inspect.ismodule(value):
            continue
        origin = getattr(value, "__module__", None)
        is_own = origin == module.__name__
        is_defined = isinstance(origin, str) and (inspect.isclass(value) or inspect.isroutine(value))
        # A plain value does not know its origin; the assignment in the source shows it.
        if is_defined and not is_own and not (is_package or listed is not None):
            continue
        if type(value).__module__ == "__future__":
            continue
        if is_defined and origin.split(".")[0] not in packages:
            continue
        if not is_defined and name not in assigned_in(module) and not is_package:
            continue
        full = f"{module.__name__}.{name}"
        names[full] = {
            "kind": kind_of(value),
            "parameters": parameters_of(value) if inspect.isroutine(value) else None,
            "own": True,
            "of": f"{origin}.{getattr(value, '__qualname__', name)}" if is_defined else full,
        }
        if inspect.isclass(value):
            members_of(full, value)


def assigned_in(module):
    code = compile(inspect.getsource(module), module.__file__, "exec")
    stored = set()
    imported = set()
    import dis

    previous = None
    for one in dis.get_instructions(code):
        if one.opname == "STORE_NAME":
            (imported if previous in ("IMPORT_FROM", "IMPORT_NAME") else stored).add(one.argval)
        previous = one.opname
    return stored - imported


found = []
for package in packages:
    root = importlib.import_module(package)
    found.append(root)
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        if any(part.startswith("_") for part in info.name.split(".")):
            continue
        try:
            found.append(importlib.import_module(info.name))
        except Exception as error:  # noqa: BLE001
            print(info.name, error, file=sys.stderr)
for module in found:
    modules.append(module.__name__)
    add(module)
json.dump({"modules": modules, "names": names}, sys.stdout)
