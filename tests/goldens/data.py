"""Step: arrays, filters and operations on stores."""

import os
import warnings

import numpy as np
from l5kit.data import ChunkedDataset


def run_data(ctx):
    from l5kit.data import (
        filter_agents_by_distance,
        filter_agents_by_frames,
        filter_agents_by_labels,
        filter_agents_by_track_id,
        filter_tl_faces_by_frames,
        filter_tl_faces_by_status,
        get_combined_scenes,
    )
    from l5kit.data.filter import get_other_agents_ids
    from l5kit.data.zarr_utils import zarr_concat, zarr_scenes_chop, zarr_split

    st = ctx.st
    txt = {}
    for n in ("single_scene.zarr", "multi_scene.zarr", "old_format.zarr"):
        p = os.path.join(ctx.inp, n)
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            ds = ChunkedDataset(p).open()
            txt[n] = {
                "str": str(ds),
                "warnings": [
                    [x.category.__name__, str(x.message).replace(p, "<path>")] for x in w
                ],
            }
        arrays = {
            "scenes": ds.scenes[:],
            "frames": ds.frames[:],
            "agents": ds.agents[:],
            "tl_faces": ds.tl_faces[:],
        }
        out = {}
        for k, v in arrays.items():
            for f in v.dtype.names:
                col = v[f]
                out[f"{k}.{f}"] = (
                    col if n != "single_scene.zarr" or k != "agents" else col[::50]
                )
        st.npz(
            "outputs/data/{}_arrays.npz".format(n.split(".")[0]),
            out,
            "ChunkedDataset({}).open(), every field of every array{}".format(
                n, " (agents: every 50th row)" if n == "single_scene.zarr" else ""
            ),
        )
    st.json(
        "outputs/data/str_tables.json",
        txt,
        "str(ChunkedDataset.open()) and the warnings raised",
    )
    codecs = os.path.join(ctx.inp, "codecs")
    ref = None
    for n in sorted(os.listdir(codecs)):
        ds = ChunkedDataset(os.path.join(codecs, n)).open()
        cur = {k: getattr(ds, k)[:] for k in ("scenes", "frames", "agents", "tl_faces")}
        if n == "missing_chunk.zarr":
            out = {f"{k}.{f}": v[f] for k, v in cur.items() for f in v.dtype.names}
            st.npz(
                "outputs/data/codecs_missing_chunk.npz",
                out,
                "content of inputs/codecs/missing_chunk.zarr",
            )
            continue
        if ref is None:
            ref = cur
            out = {f"{k}.{f}": v[f] for k, v in cur.items() for f in v.dtype.names}
            st.npz(
                "outputs/data/codecs_content.npz",
                out,
                "content of every other store in inputs/codecs",
            )
        assert all(np.array_equal(cur[k], ref[k]) for k in ref), n
    multi = ctx.zarr("multi_scene.zarr")
    fr, ag, tl, sc = multi.frames[:], multi.agents[:], multi.tl_faces[:], multi.scenes[:]

    def rows(sub, full):
        """Row numbers of `sub` in `full` (both from the same frame slice)."""
        return np.array([int(np.nonzero(full == r)[0][0]) for r in sub], np.int64)

    arrays = {}
    for f in (0, 30, 61, 133, 183, 250, 299):
        a = filter_agents_by_frames(fr[f : f + 1], ag)[0]
        for th in (0.0, 0.3, 0.5, 0.51, 0.75, 0.9, 0.99):
            arrays[f"labels.{f}.{th}"] = rows(filter_agents_by_labels(a, th), a)
        for d in (10, 25, 60):
            arrays[f"dist.{f}.{d}"] = rows(
                filter_agents_by_distance(a, fr[f]["ego_translation"][:2], d), a
            )
        arrays[f"track.{f}.3"] = rows(filter_agents_by_track_id(a, 3), a)
        t = filter_tl_faces_by_frames(fr[f : f + 1], tl)[0]
        for s in ("ACTIVE", "INACTIVE", "UNKNOWN"):
            arrays[f"tl.{f}.{s}"] = rows(filter_tl_faces_by_status(t, s), t)
        hist = filter_agents_by_frames(fr[max(0, f - 3) : f + 1][::-1], ag)
        flat = filter_agents_by_distance(
            np.concatenate(hist), fr[f]["ego_translation"][:2], 40
        )
        cur = filter_agents_by_distance(hist[0], fr[f]["ego_translation"][:2], 40)
        for mx in (3, 8, 30):
            arrays[f"other_ids.{f}.{mx}"] = np.array(
                get_other_agents_ids(flat["track_id"], cur["track_id"], 2, mx), np.uint64
            )
    st.npz(
        "outputs/data/filters.npz",
        arrays,
        "row numbers kept (in result order) by the filters on frame f of "
        "multi_scene.zarr: labels.f.threshold, dist.f.max_distance (from ego), "
        "track.f.id, tl.f.status; "
        "other_ids.f.max = get_other_agents_ids(history(4 frames, 40 m), current(40 m), "
        "selected 2, max), "
        "whose order is CPython's set order",
    )
    comb = get_combined_scenes(sc)
    st.npz(
        "outputs/data/combined_scenes.npz",
        {n: comb[n] for n in comb.dtype.names},
        "get_combined_scenes(multi scenes)",
    )
    sub = multi.get_scene_dataset(2)
    st.npz(
        "outputs/data/scene_dataset_2.npz",
        {
            f"{k}.{n}": getattr(sub, k)[n]
            for k in ("scenes", "frames", "agents", "tl_faces")
            for n in getattr(sub, k).dtype.names
        },
        "ChunkedDataset(multi_scene.zarr).get_scene_dataset(2)",
    )
    # concat / split / chop
    cat = os.path.join(ctx.tmp, "cat.zarr")
    zarr_concat(
        [
            os.path.join(ctx.tmp, "multi_scene.zarr"),
            os.path.join(ctx.tmp, "single_scene.zarr"),
            os.path.join(ctx.tmp, "multi_scene.zarr"),
        ],
        cat,
    )
    ds = ChunkedDataset(cat).open()
    st.npz(
        "outputs/data/concat.npz",
        {
            "scenes.frame_index_interval": ds.scenes["frame_index_interval"],
            "frames.agent_index_interval": ds.frames["agent_index_interval"],
            "frames.tl": ds.frames["traffic_light_faces_index_interval"],
            "lens": np.array(
                [len(ds.scenes), len(ds.frames), len(ds.agents), len(ds.tl_faces)]
            ),
        },
        "zarr_concat([multi, single, multi])",
    )
    size_gb = (
        sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(cat) for f in fs)
        / 1024**3
    )
    out_dir = os.path.join(ctx.tmp, "split")
    os.makedirs(out_dir)
    cuts = zarr_split(
        cat,
        out_dir,
        [
            {"name": "a.zarr", "split_size_GB": size_gb * 0.4},
            {"name": "b.zarr", "split_size_GB": size_gb * 0.3},
            {"name": "c.zarr", "split_size_GB": -1},
        ],
    )
    chop = os.path.join(ctx.tmp, "chop.zarr")
    zarr_scenes_chop(os.path.join(ctx.tmp, "multi_scene.zarr"), chop, 25)
    ds = ChunkedDataset(chop).open()
    st.npz(
        "outputs/data/chop25.npz",
        {
            "scenes.frame_index_interval": ds.scenes["frame_index_interval"],
            "scenes.end_time": ds.scenes["end_time"],
            "frames.timestamp": ds.frames["timestamp"],
            "frames.agent_index_interval": ds.frames["agent_index_interval"],
            "frames.tl": ds.frames["traffic_light_faces_index_interval"],
            "agents.track_id": ds.agents["track_id"],
            "lens": np.array(
                [len(ds.scenes), len(ds.frames), len(ds.agents), len(ds.tl_faces)]
            ),
        },
        "zarr_scenes_chop(multi, 25)",
    )
    st.json(
        "outputs/data/split.json",
        {"cuts": cuts, "fractions": [0.4, 0.3, -1]},
        "zarr_split(concat, fractions of its size in GB)",
    )
