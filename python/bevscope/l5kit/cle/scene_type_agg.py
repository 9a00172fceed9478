"""Failed scenes by type of scene."""

from __future__ import annotations

from .metric_set import L5MetricSet


def compute_cle_scene_type_aggregations(
    mset: L5MetricSet,
    scene_ids_to_scene_types: list[list[str]],
    list_validator_table_to_publish: list[str],
) -> dict[str, int]:
    """Returns the number of scenes of each type that a validator fails, as
    "type/validator".

    Args:
        mset: the metric set, after evaluation.
        scene_ids_to_scene_types: the types of each scene, in order of the scenes.
        list_validator_table_to_publish: has no effect.
    """
    failed = {
        name: set(frames[:, 0].tolist())
        for name, frames in mset.aggregate_failed_frames().items()
    }
    types = dict.fromkeys(one for each in scene_ids_to_scene_types for one in each)
    return {
        f"{scene_type}/{name}": sum(
            scene_type in scene_ids_to_scene_types[scene] for scene in failed.get(name, ())
        )
        for scene_type in types
        for name in mset.evaluation_plan.validators_dict()
    }
