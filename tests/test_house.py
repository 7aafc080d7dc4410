"""What tests may reach: public names, and compiled code through the module that opens it."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OTHERS = {"os", "ray"}
"""Packages of others that have no public name for it."""
KERNEL = re.compile(r"apprenti\.games\.\w+\.(kernel\b|\w+\.\w+_kernel\b)")


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


def private_names(tree):
    """Names that begin with `_` and are taken from another object or module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = ast.unparse(node.value)
            if owner not in {"self", "cls", "super()", *OTHERS}:
                yield f"{owner}.{node.attr}"
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in OTHERS:
            yield from (f"{node.module}.{name.name}" for name in node.names if is_private(name.name))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setattr") and len(node.args) > 1:
            yield from (str(arg.value) for arg in node.args[1:2] if is_private(str(getattr(arg, "value", ""))))


def kernels(tree):
    """Modules of kernels that are imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        yield from (name for name in names if KERNEL.match(name))


@pytest.mark.parametrize(
    ("look", "line"),
    [
        (private_names, "player._weights"),
        (private_names, "from apprenti.lab.queue import _seal"),
        (private_names, "monkeypatch.setattr(queue, '_seal', None)"),
        (kernels, "from apprenti.games.mnk.kernel import board"),
        (kernels, "from apprenti.games.tetris.learn import q_learning_kernel"),
        (kernels, "import apprenti.games.mnk.agents.threats_kernel"),
    ],
)
def test_what_is_not_to_be_reached_is_seen(look, line):
    assert len(list(look(ast.parse(line)))) == 1


@pytest.mark.parametrize("look", [private_names, kernels])
def test_tests_use_public_names_and_open_no_kernel(look):
    files = {path: ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("*.py")}
    assert not {str(path.relative_to(TESTS)): names for path, tree in files.items() if (names := sorted(look(tree)))}
