"""L5Kit's networks in a form that PyTorch can export: they take the length of a batch as a
number, and write through masks, which graphs of ONNX cannot. The outputs are the same."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

Forward = Callable[..., Any]


@contextlib.contextmanager
def exportable(torch: Any, model: Any) -> Iterator[None]:
    """Replaces the functions of L5Kit's networks in a model, and puts them back."""
    changed = []
    for module in model.modules():
        made = _FORWARDS.get(f"{type(module).__module__}.{type(module).__name__}")
        if made is not None:
            module.forward = made(torch, module)
            changed.append(module)
    try:
        yield
    finally:
        for module in changed:
            del module.forward


def _planning(torch: Any, model: Any) -> Forward:
    def forward(batch: dict[str, Any]) -> dict[str, Any]:
        out = model.model(batch["image"]).view(-1, model.num_targets // 3, 3)
        return {"positions": out[..., :2], "yaws": out[..., 2:]}

    return forward


def _multimodal(torch: Any, model: Any) -> Forward:
    """Gives all modes, and their scores, which L5Kit keeps to itself."""

    def forward(batch: dict[str, Any]) -> dict[str, Any]:
        out = model.model(batch["image"])
        modes = model.num_modes
        poses = out[:, :-modes].view(-1, modes, model.num_timestamps, model.num_outputs)
        # argmax of the probabilities is L5Kit's choice.
        return {
            "positions_all": poses[..., :2],
            "yaws_all": poses[..., 2:3],
            "logits": out[:, -modes:],
        }

    return forward


def _embedding(torch: Any, module: Any) -> Forward:
    types = module.polyline_types

    def forward(batch: dict[str, Any]) -> Any:
        def filled(like: Any, name: str) -> Any:
            return torch.zeros_like(like, dtype=torch.long) + types[name]

        others, lanes = batch["all_other_agents_types"], batch["lanes_mid"][:, :, 0, -1]
        crosswalks, sides = batch["crosswalks"][:, :, 0, 0], batch["lanes"][:, :, 0, 0]
        is_right = torch.arange(sides.shape[1]) % 2
        indices = [
            filled(batch["type"][:, None], "AGENT_OF_INTEREST"),
            # L5Kit sets the other types in a copy, which it drops.
            filled(others, "AGENT_NO"),
            lanes.long() + types["TL_UNKNOWN"],
            filled(crosswalks, "CROSSWALK"),
            filled(sides, "LANE_BDRY_LEFT") + is_right,
        ]
        return module.embedding(torch.cat(indices, 1))

    return forward


def _subgraph(torch: Any, module: Any) -> Forward:
    def forward(points: Any, invalid: Any, places: Any) -> Any:
        count, length, width = points.shape[1:]
        x = (points + places).view(-1, length, width)
        mask = invalid.reshape(-1, length)
        has_any = ~mask.bool().all(-1)
        # Polylines without points pass through the network, and are dropped then.
        mask = (mask > 0) & has_any[:, None]
        for layer in module.layers:
            x = layer(x, mask)
        x = x.masked_fill(mask[..., None], float("-inf")).max(1).values
        x = torch.where(has_any[:, None], x, torch.zeros_like(x))
        return x.view(-1, count, module.dim_in)

    return forward


_PLANNING = "l5kit.planning"
_FORWARDS: dict[str, Callable[[Any, Any], Forward]] = {
    f"{_PLANNING}.rasterized.model.RasterizedPlanningModel": _planning,
    f"{_PLANNING}.rasterized.multimodal_model.RasterizedMultiModalPlanningModel": (
        _multimodal
    ),
    f"{_PLANNING}.vectorized.global_graph.VectorizedEmbedding": _embedding,
    f"{_PLANNING}.vectorized.local_graph.LocalSubGraph": _subgraph,
}
