"""Configs and indices of samples, and what all steps share."""

import os
import shutil
import tempfile

import numpy as np
from l5kit.data import ChunkedDataset, LocalDataManager
from l5kit.dataset.select_agents import get_valid_agents


def cfg_of(
    hist,
    fut,
    size,
    px,
    center,
    map_type,
    bottom=True,
    th=0.5,
    no_tl=False,
    ego_hist=True,
    dt=0.1,
    sem="town_map.pb",
    sat="aerial_town.png",
    ego=None,
    ag=None,
):
    return {
        "format_version": 4,
        "model_params": {
            "model_architecture": "resnet50",
            "history_num_frames": hist,
            "history_num_frames_ego": hist if ego is None else ego,
            "history_num_frames_agents": hist if ag is None else ag,
            "future_num_frames": fut,
            "step_time": dt,
            "render_ego_history": ego_hist,
        },
        "raster_params": {
            "raster_size": list(size),
            "pixel_size": [px, px],
            "ego_center": list(center),
            "map_type": map_type,
            "satellite_map_key": sat,
            "semantic_map_key": sem,
            "dataset_meta_key": "meta.json",
            "filter_agents_threshold": th,
            "disable_traffic_light_faces": no_tl,
            "set_origin_to_bottom": bottom,
        },
    }


A = (0, 12, (224, 224), 0.5, (0.25, 0.5))


B = (10, 50, (112, 112), 0.25, (0.5, 0.5))


C = (4, 20, (160, 96), 0.5, (0.3, 0.5))


D = (10, 50, (224, 224), 0.5, (0.25, 0.5))


CONFIGS = {
    "A_sem": cfg_of(*A, "py_semantic"),
    "A_sat": cfg_of(*A, "py_satellite"),
    "A_box": cfg_of(*A, "box_debug"),
    "A_stub": cfg_of(*A, "stub_debug"),
    "A_semdbg": cfg_of(*A, "semantic_debug"),
    "A_satdbg": cfg_of(*A, "satellite_debug"),
    "B_sem": cfg_of(*B, "py_semantic"),
    "B_sat": cfg_of(*B, "py_satellite"),
    "B_box": cfg_of(*B, "box_debug"),
    "B_stub": cfg_of(*B, "stub_debug"),
    "A_sem_top": cfg_of(*A, "py_semantic", bottom=False),
    "A_sat_top": cfg_of(*A, "py_satellite", bottom=False),
    "B_box_top": cfg_of(*B, "box_debug", bottom=False),
    "A_sem_notl": cfg_of(*A, "py_semantic", no_tl=True),
    "B_box_noegohist": cfg_of(*B, "box_debug", ego_hist=False),
    "C_sem": cfg_of(*C, "py_semantic"),
    "C_sat": cfg_of(*C, "py_satellite"),
    "C_box": cfg_of(*C, "box_debug"),
    "C_stub": cfg_of(*C, "stub_debug"),
    "B_stub_dt02": cfg_of(*B, "stub_debug", dt=0.2),
    "A_box_th0": cfg_of(*A, "box_debug", th=0.0),
    "A_box_th08": cfg_of(*A, "box_debug", th=0.8),
    "A_sem_stock": cfg_of(*A, "py_semantic", sem="semantic_map.pb"),
    "A_sat_stock": cfg_of(*A, "py_satellite", sat="aerial_map.png"),
    "D_sem": cfg_of(*D, "py_semantic"),
}


def vec_cfg(ego, ag, fut, others, dist, lanes, pts, cwpts, ret, cws, th=0.5):
    c = cfg_of(0, fut, (224, 224), 0.5, (0.25, 0.5), "py_semantic", ego=ego, ag=ag, th=th)
    c["data_generation_params"] = {
        "other_agents_num": others,
        "max_agents_distance": dist,
        "lane_params": {
            "max_num_lanes": lanes,
            "max_points_per_lane": pts,
            "max_points_per_crosswalk": cwpts,
            "max_retrieval_distance_m": ret,
            "max_num_crosswalks": cws,
        },
    }
    return c


VEC = {
    "V1": vec_cfg(0, 3, 12, 30, 35, 30, 20, 20, 35, 20),
    "V2": vec_cfg(10, 5, 50, 6, 50, 12, 10, 8, 50, 3),
    "V3": vec_cfg(3, 10, 25, 12, 60, 60, 20, 30, 60, 20),
}


ON_MULTI = [
    "A_sem",
    "A_sat",
    "B_sem",
    "B_box",
    "B_stub",
    "B_stub_dt02",
    "C_sem",
    "A_box_th0",
    "A_box_th08",
    "B_box_noegohist",
    "A_sem_notl",
    "D_sem",
]


RGB = {"A_sem", "A_sat", "B_sem", "B_box", "C_sat", "D_sem", "A_sem_top"}


EGO_SINGLE = [0, 1, 3, 9, 10, 60, 85, 100, 123, 150, 200, 235, 246, 247]


EGO_MULTI = [
    0,
    1,
    9,
    30,
    59,
    60,
    61,
    100,
    119,
    120,
    139,
    150,
    179,
    180,
    182,
    212,
    240,
    270,
    298,
    299,
]


def sample_arrays(tag, d):
    out, types_ = {}, {}
    for k, v in d.items():
        a = np.asarray(v)
        types_[k] = type(v).__name__ + (
            ":" + str(a.dtype) if isinstance(v, (np.ndarray, np.generic)) else ""
        )
        if k == "image":
            assert a.dtype == np.float32, a.dtype
            u = np.round(a * 255).astype(np.uint8)
            assert np.array_equal(u.astype(np.float32) / 255, a)
            a = u
        out[f"{tag}.{k}"] = a
    return out, types_


def agent_indices(mask, want_new=6, want_old=10):
    """Returns indices of an AgentDataset with min_frame_history 0: spread over all agents,
    and agents that just appeared."""
    ok = np.nonzero((mask[:, 0] >= 0) & (mask[:, 1] >= 1))[0]
    past = mask[ok, 0]
    old = np.nonzero(past >= 10)[0]
    new = np.nonzero(past == 0)[0]
    young = np.nonzero((past > 0) & (past < 10))[0]
    pick = list(old[np.linspace(0, len(old) - 1, want_old).astype(int)])
    pick += (
        list(new[np.linspace(0, len(new) - 1, want_new).astype(int)]) if len(new) else []
    )
    pick += list(young[np.linspace(0, len(young) - 1, 2).astype(int)]) if len(young) else []
    return sorted(set(int(i) for i in pick))


class Context:
    def __init__(self, st):
        self.st = st
        self.inp = os.path.join(st.out, "inputs")
        self.tmp = tempfile.mkdtemp()
        for n in ("single_scene.zarr", "multi_scene.zarr"):
            shutil.copytree(os.path.join(self.inp, n), os.path.join(self.tmp, n))
        self.dm = LocalDataManager(self.inp)
        self._masks = {}

    def zarr(self, name):
        return ChunkedDataset(os.path.join(self.tmp, name)).open()

    def mask(self, name, th=0.5, yaw=30, ext=1.1, dist=50):

        key = (name, th, yaw, ext, dist)
        if key not in self._masks:
            ds = self.zarr(name)
            out = np.zeros((len(ds.agents), 2), np.uint32)
            from collections import Counter

            rep = Counter()
            for iv in ds.scenes["frame_index_interval"]:
                m, r, (a, b) = get_valid_agents(
                    iv,
                    dataset=ds,
                    th_agent_filter_probability_threshold=th,
                    th_yaw_degree=yaw,
                    th_extent_ratio=ext,
                    th_distance_av=dist,
                )
                out[a:b] = m
                rep += r
            self._masks[key] = out, {k: int(v) for k, v in rep.items()}
        return self._masks[key]
