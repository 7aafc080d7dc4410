"""What a player needs, known when the kernel is compiled, so that nothing else is computed.

A `Plan` is a set of names. Inside compiled code `plan.holes` is the constant True or False and the branch it guards
vanishes. Two plans are two compilations; the weights are ordinary run-time numbers.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numba import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, overload, register_model, typeof_impl, unbox

from apprenti.core.compiled import INLINED, inlined
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.kernel.layout import MOST_TERMS

Function = Callable[..., object]
"""Of compiled code: Numba types it from the values it is called with."""
TERMS = tuple(name for name, criterion in CRITERIA.items() if criterion.terms is None)
"""What the kernel computes: the criteria that are no combination of others."""
TERM = {name: code for code, name in enumerate(TERMS)}
assert len(TERMS) <= MOST_TERMS, "the kernel has no room for all terms"
OPTIONS = ("random_ties", "far_ties", "next_piece", "expectimax", "units", "narrow", "slim")


@dataclass(frozen=True)
class Plan:
    """The names (of `TERMS` and `OPTIONS`) that a compiled player uses."""

    names: frozenset[str]

    def __post_init__(self) -> None:
        unknown = self.names - {*TERMS, *OPTIONS}
        if unknown:
            raise ValueError(f"unknown kernel terms: {sorted(unknown)}")


class PlanType(types.Type):
    """The Numba type of one plan: the names are part of the type, so each plan is compiled on its own."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        super().__init__(name=f"Plan({','.join(names)})")

    def answers(self, name: str) -> bool | None:
        """Whether the plan has `name`; None for a name that no plan can have."""
        return name in self.names if name in TERM or name in OPTIONS else None


@typeof_impl.register(Plan)
def _typeof_plan(value: Plan, context) -> PlanType:
    return PlanType(tuple(sorted(value.names)))


register_model(PlanType)(models.OpaqueModel)


@unbox(PlanType)
def _unbox_plan(typ: PlanType, obj, c) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())  # the type says it all


@infer_getattr
class _PlanAttribute(AttributeTemplate):
    key = PlanType

    def generic_resolve(self, typ: PlanType, attr: str):
        return None if typ.answers(attr) is None else types.boolean


@lower_getattr_generic(PlanType)
def _lower_attribute(context, builder, typ: PlanType, value, attr: str):
    return context.get_constant(types.boolean, typ.answers(attr))


def only_with(*names: str, otherwise: Function) -> Callable[[Function], Function]:
    """Compile a function, whose first argument is the plan, only for plans with one of these names.

    For the others `otherwise` stands in its place. A branch on `plan.name` would give the same machine code, but Numba
    would have to read and type what is behind it, which is most of the time a compilation takes.
    """

    def decorate(body: Function) -> Function:
        def pick_body(plan: PlanType, *rest) -> Function:
            return body if any(plan.answers(name) for name in names) else otherwise

        pick_body.__signature__ = inspect.signature(body)  # type: ignore[attr-defined]
        overload(body, jit_options=INLINED, strict=False)(pick_body)
        return body

    return decorate


def in_turn(parts: Sequence[Function], join: Function) -> Function:
    """One function that calls all parts with the same arguments and joins what they return.

    Numba compiles each of these functions with all that it calls: halves of halves are less to compile than a chain.
    """
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    first, others = inlined(in_turn(parts[:half], join)), inlined(in_turn(parts[half:], join))

    def all_of_them(*arguments):  # type: ignore[no-untyped-def]
        return join(first(*arguments), others(*arguments))

    return all_of_them


@inlined
def _add(one, other):  # type: ignore[no-untyped-def]
    return one + other


def by_plan(parts: Mapping[str, Function], otherwise: Function, join: Function = _add):
    """A compiled function, whose first argument is the plan, made of those parts whose names are in it.

    What they return is added, or joined by `join`; without any, `otherwise` stands in their place.
    """

    def stub(*arguments) -> None:
        raise NotImplementedError

    def pick_parts(plan: PlanType, *rest) -> Function:
        used = [part for name, part in parts.items() if plan.answers(name)]
        return in_turn(used, join) if used else otherwise

    overload(stub, jit_options=INLINED, strict=False)(pick_parts)
    return stub
