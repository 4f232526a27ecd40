"""Generates `heliopause/sync.py`: blocking versions of the classes of `heliopause.aio`."""

import ast

HEAD = '''"""The blocking client. Generated from heliopause.aio: do not edit."""

# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations
'''
# The classes and their modules. Subclasses follow their base classes.
CLASSES = {"Seat": "seat", "Table": "table", "Sandbox": "sandbox", "Client": "client"}
# The imports that every generated module needs.
IMPORTS = ["from collections.abc import Generator", "from heliopause import _portal, aio"]


def facade(folder):
    """Returns the text of the module, generated from the sources in a folder."""
    imports, classes = set(IMPORTS), []
    for name, module in CLASSES.items():
        tree = ast.parse((folder / f"{module}.py").read_text())
        made = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
        text = "\n".join(_class(made))
        classes.append(text)
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        for node in tree.body:
            imports |= set(_imports(node, used))
            if isinstance(node, ast.Assign) and node.targets[0].id in used:
                imports.add(f"from heliopause.aio.{module} import {node.targets[0].id}")
    return "\n".join([HEAD, *sorted(imports), "", "", "\n\n\n".join(classes), ""])


def _imports(node, used):
    if isinstance(node, ast.Import):
        yield from (f"import {alias.name}" for alias in node.names if alias.name in used)
    elif isinstance(node, ast.ImportFrom) and not node.module.startswith("heliopause.aio."):
        for alias in node.names:
            if (alias.asname or alias.name) in used and alias.name not in ("AsyncGenerator", "Generator"):
                yield f"from {node.module} import {ast.unparse(alias)}"


def _class(made):
    """Yields the lines of a class that wraps an asynchronous one and waits for it."""
    name = made.name
    bases = [base.id for base in made.bases if base.id in CLASSES]
    yield f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
    yield from _docstring(made, "    ")
    yield f"    _aio: aio.{name}"
    if name == "Client":
        yield from _constructor(made)
    else:
        yield ""
        yield f"    def __init__(self, inner: aio.{name}, portal: _portal.Portal) -> None:"
        yield "        self._aio = inner"
        yield "        self._portal = portal"
    for node in made.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__init__" and name != "Client":
            yield from _attributes(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield from _method(node)
    if name == "Client":
        yield f'\n    def __enter__(self) -> "{name}":\n        return self'
        yield "\n    def __exit__(self, *_: object) -> None:\n        self.close()"


def _docstring(node, indent):
    lines = ast.get_docstring(node).split("\n")
    if len(lines) == 1:
        yield f'{indent}"""{lines[0]}"""'
    else:
        yield from [f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:]), f'{indent}"""']
        yield ""


def _constructor(made):
    init = next(node for node in made.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    yield f"\n    def __init__({ast.unparse(init.args)}) -> None:"
    yield from _docstring(init, "        ")
    yield f"        self._aio = aio.{made.name}({_passed(init)})"
    yield "        self._portal = _portal.portal()"


def _attributes(init):
    """Yields properties for the documented attributes that a constructor sets."""
    known = {arg.arg: arg.annotation for arg in init.args.args}
    for at, node in enumerate(init.body[:-1]):
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        docstring = init.body[at + 1]
        if not isinstance(target, ast.Attribute) or not (
            isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)
        ):
            continue
        kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else _kind(node.value, known)
        yield f"\n    @property\n    def {target.attr}(self) -> {kind}:"
        yield f'        """{docstring.value.value}"""\n        return self._aio.{target.attr}'


def _kind(value, known):
    if isinstance(value, ast.Constant):
        return type(value.value).__name__
    if isinstance(value, ast.Name):
        return ast.unparse(known[value.id])
    if isinstance(value, ast.Call):
        return ast.unparse(value.func)
    return "str"


def _method(node):
    kind = node.returns
    run, wrap = "", None
    if isinstance(kind, ast.Subscript) and kind.value.id == "AsyncGenerator":
        shown, run = f"Generator[{ast.unparse(kind.slice)}]", "iterate"
    else:
        shown, run = ast.unparse(kind), "run" if isinstance(node, ast.AsyncFunctionDef) else ""
        wrap = shown.removeprefix("list[").removesuffix("]")
        wrap = wrap if wrap in CLASSES else None
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id == "property":
            yield f"\n    @property\n    def {node.name}(self) -> {shown}:"
            yield from _docstring(node, "        ")
            yield f"        return self._aio.{node.name}"
            return
    yield f"\n    def {node.name}({ast.unparse(node.args)}) -> {shown}:"
    yield from _docstring(node, "        ")
    done = f"self._aio.{node.name}({_passed(node)})"
    done = f"self._portal.{run}({done})" if run else done
    if wrap and wrap != shown:
        done = f"[{wrap}(one, self._portal) for one in {done}]"
    elif wrap:
        done = f"{wrap}({done}, self._portal)"
    yield f"        {'return ' if shown != 'None' else ''}{done}"


def _passed(node):
    places = [arg.arg for arg in node.args.args if arg.arg != "self"]
    return ", ".join(places + [f"{arg.arg}={arg.arg}" for arg in node.args.kwonlyargs])
