"""Steps: agent selection, evaluation and errors."""

import json
import os
import shutil
import warnings

import numpy as np
import zarr
from context import CONFIGS
from l5kit.data import ChunkedDataset


def run_select(ctx):
    from l5kit.dataset import AgentDataset, EgoDataset
    from l5kit.dataset.select_agents import select_agents
    from l5kit.rasterization import RenderContext, StubRasterizer

    st = ctx.st
    for src, tag in (("single_scene.zarr", "single"), ("multi_scene.zarr", "multi")):
        for th, yaw, ext, dist in (
            (0.5, 30, 1.1, 50),
            (0.0, 30, 1.1, 50),
            (0.8, 30, 1.1, 50),
            (0.9, 30, 1.1, 50),
            (0.5, 5, 1.1, 50),
            (0.5, 30, 1.01, 50),
            (0.5, 30, 1.1, 20),
            (0.3, 180.1, 10.0, 1000),
        ):
            m, rep = ctx.mask(src, th, yaw, ext, dist)
            rel = "outputs/select/{}_th{}{}.npz".format(
                tag,
                th,
                "" if (yaw, ext, dist) == (30, 1.1, 50) else f"_y{yaw}_e{ext}_d{dist}",
            )
            st.npz(
                rel,
                {"mask": m},
                f"get_valid_agents over all scenes, "
                f"th_agent_filter_probability_threshold={th}, "
                f"th_yaw_degree={yaw}, th_extent_ratio={ext}, th_distance_av={dist}",
                notes={"report": rep},
            )
        m, _ = ctx.mask(src)
        lens = {}
        for h in (0, 1, 5, 10, 20, 30):
            for f in (0, 1, 10, 12, 30, 50):
                lens[f"{h},{f}"] = int(np.sum((m[:, 0] >= h) & (m[:, 1] >= f)))
        st.json(
            f"outputs/select/{tag}_lengths.json",
            lens,
            "len(AgentDataset(..., min_frame_history=h, min_frame_future=f)) with "
            "threshold 0.5, key 'h,f'",
        )
    # the real thing once: writes agents_mask/0.5 in the zarr
    ds = ctx.zarr("multi_scene.zarr")
    select_agents(ds, 0.5, 30, 1.1, 50)
    got = zarr.convenience.load(
        os.path.join(ctx.tmp, "multi_scene.zarr", "agents_mask", "0.5")
    )
    assert np.array_equal(got, ctx.mask("multi_scene.zarr")[0])
    dst = os.path.join(st.out, "outputs", "select", "multi_agents_mask_group")
    if os.path.exists(dst):
        shutil.rmtree(dst)
    shutil.copytree(os.path.join(ctx.tmp, "multi_scene.zarr", "agents_mask"), dst)
    st.note(
        "outputs/select/multi_agents_mask_group",
        "the agents_mask group as select_agents(…, 0.5, 30, 1.1, 50) "
        "writes it inside multi_scene.zarr (array 0.5, chunks (10000,), uint32, shape "
        "(N, 2))",
    )
    # index helpers
    cfg = CONFIGS["B_stub"]
    rp = cfg["raster_params"]
    rast = StubRasterizer(
        RenderContext(
            np.array(rp["raster_size"]),
            np.array(rp["pixel_size"]),
            np.array(rp["ego_center"]),
            True,
        )
    )
    agt = AgentDataset(cfg, ctx.zarr("multi_scene.zarr"), rast)
    ego = EgoDataset(cfg, ctx.zarr("multi_scene.zarr"), rast)
    arrays = {
        "agents_indices": agt.agents_indices,
        "mask_indices": agt.mask_indices,
        "cumulative_sizes": agt.cumulative_sizes,
        "cumulative_sizes_agents": agt.cumulative_sizes_agents,
        "len_agent": np.array(len(agt)),
        "len_ego": np.array(len(ego)),
    }
    for s in range(5):
        arrays[f"agent_scene_{s}"] = agt.get_scene_indices(s)
        arrays[f"ego_scene_{s}"] = ego.get_scene_indices(s)
        sub = agt.get_scene_dataset(s)
        arrays[f"agent_scene_dataset_len_{s}"] = np.array(len(sub))
    for f in range(0, 300, 7):
        arrays[f"agent_frame_{f:03d}"] = agt.get_frame_indices(f)
        arrays[f"ego_frame_{f:03d}"] = ego.get_frame_indices(f)
    st.npz(
        "outputs/select/multi_indices.npz",
        arrays,
        "AgentDataset/EgoDataset(multi_scene.zarr).get_scene_indices(s) / "
        "get_frame_indices(f); default mask "
        "(min history 10, min future 1)",
    )


def run_eval(ctx):
    from l5kit.evaluation import (
        compute_metrics_csv,
        create_chopped_dataset,
        read_gt_csv,
        write_pred_csv,
    )
    from l5kit.evaluation import metrics as M

    st = ctx.st
    src = os.path.join(ctx.tmp, "evalsrc", "multi_scene.zarr")
    os.makedirs(os.path.dirname(src))
    shutil.copytree(os.path.join(ctx.inp, "multi_scene.zarr"), src)
    dst = create_chopped_dataset(src, 0.5, 40, 12, 10)
    shutil.copyfile(os.path.join(dst, "gt.csv"), st.path("outputs/eval/gt.csv"))
    st.note(
        "outputs/eval/gt.csv",
        "create_chopped_dataset(multi_scene.zarr, th_agent_prob=0.5, "
        "num_frames_to_copy=40, "
        "num_frames_gt=12, min_frame_future=10): gt.csv",
    )
    mask = np.load(os.path.join(dst, "mask.npz"))["arr_0"]
    st.npz(
        "outputs/eval/chopped_mask.npz",
        {"mask": mask},
        f"mask.npz (arr_0) of the same call; folder name {os.path.basename(dst)}",
    )
    gt = list(read_gt_csv(st.path("outputs/eval/gt.csv")))
    rng = np.random.RandomState(5)
    n = len(gt)
    ts = np.array([int(g["timestamp"]) for g in gt])
    ids = np.array([int(g["track_id"]) for g in gt])
    coords = np.stack([g["coord"] for g in gt])
    pred = (
        coords[:, None]
        + rng.normal(0, 0.4, (n, 3, 12, 2)) * np.array([0.5, 1, 2])[None, :, None, None]
    )
    conf = rng.dirichlet([2, 1, 1], n)
    write_pred_csv(st.path("outputs/eval/pred.csv"), ts, ids, pred, conf)
    st.note("outputs/eval/pred.csv", "write_pred_csv of three noisy modes")
    write_pred_csv(st.path("outputs/eval/pred_single_mode.csv"), ts, ids, pred[:, 0])
    st.note(
        "outputs/eval/pred_single_mode.csv", "write_pred_csv with one mode (padded to 3)"
    )
    ms = [
        M.neg_multi_log_likelihood,
        M.rmse,
        M.prob_true_mode,
        M.time_displace,
        M.average_displacement_error_oracle,
        M.average_displacement_error_mean,
        M.final_displacement_error_oracle,
        M.final_displacement_error_mean,
    ]
    out = compute_metrics_csv(
        st.path("outputs/eval/gt.csv"), st.path("outputs/eval/pred.csv"), ms
    )
    st.json(
        "outputs/eval/metrics.json",
        out,
        "compute_metrics_csv(gt.csv, pred.csv, [nll, rmse, prob_true_mode, ...])",
    )


def run_errors(ctx):
    from l5kit.dataset import AgentDataset, EgoDataset
    from l5kit.rasterization import RenderContext, build_rasterizer

    st = ctx.st
    out = {}

    def rec(name, fn):
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            try:
                r = fn()
                res = ["ok", str(r)[:200]]
            except Exception as e:
                res = [
                    type(e).__name__,
                    str(e).replace(ctx.tmp, "<dir>").replace(ctx.inp, "<dir>"),
                ]
        out[name] = {
            "result": res,
            "warnings": sorted(
                {
                    "{}: {}".format(
                        x.category.__name__,
                        str(x.message).replace(ctx.tmp, "<dir>").replace(ctx.inp, "<dir>"),
                    )
                    for x in w
                    if x.category is RuntimeWarning
                }
            ),
        }

    cfg = CONFIGS["A_box"]
    rast = build_rasterizer(cfg, ctx.dm)
    multi = ctx.zarr("multi_scene.zarr")
    ego = EgoDataset(cfg, multi, rast)
    mask = ctx.mask("multi_scene.zarr")[0]
    agt = AgentDataset(cfg, multi, rast, agents_mask=(mask[:, 0] >= 10) & (mask[:, 1] >= 1))
    old = ChunkedDataset(os.path.join(ctx.inp, "old_format.zarr"))
    rec("open old format", lambda: len(old.open().tl_faces))
    rec("EgoDataset(old)", lambda: len(EgoDataset(cfg, old, rast)))
    rec("EgoDataset(old)[0]", lambda: EgoDataset(cfg, old, rast)[0])
    rec("old.get_scene_dataset(0)", lambda: old.get_scene_dataset(0))
    rec("str(old)", lambda: str(old))
    rec("ego[300]", lambda: ego[300])
    rec("ego[-300].frame_index", lambda: ego[-300]["frame_index"])
    rec("ego[-301]", lambda: ego[-301])
    rec("ego[-1].frame_index", lambda: ego[-1]["frame_index"])
    rec("agent[len]", lambda: agt[len(agt)])
    rec("agent[-len-1]", lambda: agt[-len(agt) - 1])
    rec("ego.get_frame unknown track", lambda: ego.get_frame(0, 5, track_id=999))
    rec("ego.get_frame below threshold", lambda: ego.get_frame(0, 5, track_id=11))
    rec("ego.get_scene_indices(5)", lambda: ego.get_scene_indices(5))
    rec("ego.get_frame_indices(300)", lambda: ego.get_frame_indices(300))
    rec("agent.get_scene_indices(5)", lambda: agt.get_scene_indices(5))
    rec("multi.get_scene_dataset(5)", lambda: multi.get_scene_dataset(5))
    rec(
        "non square pixels",
        lambda: RenderContext(
            np.array((10, 10)), np.array((0.5, 0.25)), np.array((0.5, 0.5)), True
        ),
    )
    bad = json.loads(json.dumps(cfg))
    bad["raster_params"]["map_type"] = "nope"
    rec("unknown map_type", lambda: build_rasterizer(bad, ctx.dm))
    rec("missing key", lambda: ctx.dm.require("nope.zarr"))
    rec("ChunkedDataset no such path", lambda: ChunkedDataset("<missing>").open())
    rec(
        "AgentDataset with perturbation",
        lambda: AgentDataset(cfg, multi, rast, perturbation=1),
    )
    rec(
        "AgentDataset custom min history",
        lambda: len(
            AgentDataset(cfg, multi, rast, min_frame_history=3, min_frame_future=5)
        ),
    )
    sat = CONFIGS["A_satdbg"]
    big = json.loads(json.dumps(sat))
    big["raster_params"]["raster_size"] = [1800, 1800]
    rec(
        "satellite out of bounds",
        lambda: EgoDataset(big, multi, build_rasterizer(big, ctx.dm))[0],
    )
    st.json(
        "outputs/errors.json",
        out,
        "exception type and message (or result) of each call, with RuntimeWarnings",
    )
