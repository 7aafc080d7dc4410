"""What a player needs, known when the kernel is compiled, so that nothing else is computed.

A `Plan` is a set of names. Inside compiled code `plan.holes` is the constant True or False and the branch it guards
vanishes. Two plans are two compilations; the weights are ordinary run-time numbers.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numba import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, overload, register_model, typeof_impl, unbox

from apprenti.core.compiled import INLINED

TERMS = (
    "landing_height",
    "eroded_piece_cells",
    "lines",
    "row_transitions",
    "column_transitions",
    "holes",
    "cumulative_wells",
    "cumulative_wells_fast",
    "well_depth_sum",
    "max_well_depth",
    "well_count",
    "pit_depth",
    "hole_depth",
    "rows_with_holes",
    "pattern_diversity",
    "max_height",
    "min_height",
    "sum_heights",
    "bumpiness",
    "occupied_cells",
    "weighted_cells",
    "hard_holes",
    "mean_hole_depth",
    "column_heights",
    "height_differences",
    "height_table",
)
"""What the kernel can compute: the criteria of the catalogue reduced to as few quantities as possible."""

TERM = {name: code for code, name in enumerate(TERMS)}
OPTIONS = ("random_ties", "next_piece", "expectimax")

WELLS_BY_RUN = frozenset({"cumulative_wells_fast", "well_depth_sum", "max_well_depth", "well_count", "pit_depth"})
"""Terms read from the same scan of a column for runs of empty cells that begin in a well."""

HEIGHT_TERMS = (
    "max_height",
    "min_height",
    "sum_heights",
    "height_table",
    "occupied_cells",
    "weighted_cells",
    "column_heights",
)
"""Terms read from the heights or the cells of each column on its own."""

STEP_TERMS = ("bumpiness", "height_differences", "pattern_diversity")
"""Terms read from the heights of two neighbours."""


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
        if name == "wells_by_run":
            return bool(WELLS_BY_RUN & set(self.names))
        if name in TERM or name in OPTIONS:
            return name in self.names
        return None


@typeof_impl.register(Plan)
def _typeof_plan(value: Plan, context: Any) -> PlanType:
    return PlanType(tuple(sorted(value.names)))


register_model(PlanType)(models.OpaqueModel)


@unbox(PlanType)
def _unbox_plan(typ: PlanType, obj: Any, c: Any) -> NativeValue:
    return NativeValue(c.context.get_dummy_value())  # the type says it all


@infer_getattr
class _PlanAttribute(AttributeTemplate):
    key = PlanType

    def generic_resolve(self, typ: PlanType, attr: str) -> Any:
        return None if typ.answers(attr) is None else types.boolean


@lower_getattr_generic(PlanType)
def _lower_attribute(context: Any, builder: Any, typ: PlanType, value: Any, attr: str) -> Any:
    return context.get_constant(types.boolean, typ.answers(attr))


def only_with(*names: str, otherwise: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile a function, whose first argument is the plan, only for plans with one of these names.

    For the others `otherwise` stands in its place. A branch on `plan.name` would give the same machine code, but Numba
    would have to read and type what is behind it, which is most of the time a compilation takes.
    """

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        def pick_body(plan: PlanType, *rest: Any) -> Callable[..., Any]:
            return body if any(plan.answers(name) for name in names) else otherwise

        pick_body.__signature__ = inspect.signature(body)  # type: ignore[attr-defined]
        overload(body, jit_options=INLINED, strict=False)(pick_body)
        return body

    return decorate
