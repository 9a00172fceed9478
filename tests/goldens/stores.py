"""Stores in the layouts that readers of L5Kit data meet."""

import os
import shutil

import numcodecs
import numcodecs.blosc
import numpy as np
import zarr
from l5kit.data import FRAME_DTYPE, PERCEPTION_LABELS, ChunkedDataset

numcodecs.blosc.use_threads = (
    False  # threads would make the block order inside a chunk random
)


LZ4 = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)


def write_zarr(
    path, scenes, frames, agents, tl_faces, chunks=(10000, 10000, 20000, 10000), comps=None
):
    if os.path.exists(path):
        shutil.rmtree(path)
    root = zarr.open_group(path, mode="w")
    comps = comps or [LZ4] * 4
    todo = [
        ("scenes", scenes, chunks[0], comps[0]),
        ("frames", frames, chunks[1], comps[1]),
        ("agents", agents, chunks[2], comps[2]),
    ]
    if tl_faces is not None:
        todo.append(("traffic_light_faces", tl_faces, chunks[3], comps[3]))
    for name, data, c, comp in todo:
        a = root.create_dataset(
            name, shape=data.shape, chunks=(c,), dtype=data.dtype, compressor=comp
        )
        a[:] = data
    root.attrs["format_version"] = 2
    root.attrs["labels"] = PERCEPTION_LABELS
    return root


OLD_FRAME_DTYPE = [d for d in FRAME_DTYPE if d[0] != "traffic_light_faces_index_interval"]


def build_old_format(src, path):
    ds = ChunkedDataset(src).open()
    fr = ds.frames[:30]
    frames = np.zeros(30, dtype=OLD_FRAME_DTYPE)
    for n, *_ in OLD_FRAME_DTYPE:
        frames[n] = fr[n]
    scenes = ds.scenes[:1]
    scenes["frame_index_interval"] = (0, 30)
    write_zarr(
        path,
        scenes,
        frames,
        ds.agents[: fr[-1]["agent_index_interval"][1]],
        None,
        chunks=(10000, 10000, 20000, 0),
    )


def build_codecs(src, path):
    """Same content under other codecs / layouts that zarr v2 readers meet."""
    if os.path.exists(path):
        shutil.rmtree(path)
    ds = ChunkedDataset(src).open()
    fr, n = ds.frames[:40], 40
    ag = ds.agents[: int(fr[-1]["agent_index_interval"][1])]
    tl = ds.tl_faces[: int(fr[-1]["traffic_light_faces_index_interval"][1])]
    sc = ds.scenes[:1]
    sc["frame_index_interval"] = (0, n)
    B = numcodecs.Blosc
    variants = {
        "raw": [None] * 4,
        "zlib": [numcodecs.Zlib(level=6)] * 4,
        "gzip": [numcodecs.GZip(level=6)] * 4,
        "zstd": [numcodecs.Zstd(level=5)] * 4,
        "blosc_zstd_bit": [B(cname="zstd", clevel=7, shuffle=2)] * 4,
        "blosc_zlib_noshuffle": [B(cname="zlib", clevel=3, shuffle=0)] * 4,
        "blosc_lz4hc": [B(cname="lz4hc", clevel=9, shuffle=1)] * 4,
        "blosc_blosclz": [B(cname="blosclz", clevel=5, shuffle=1)] * 4,
        "blosc_lz4_blocks": [B(cname="lz4", clevel=5, shuffle=1, blocksize=4096)] * 4,
        "blosc_lz4_bit": [B(cname="lz4", clevel=5, shuffle=2)] * 4,
    }
    for name, comps in variants.items():
        write_zarr(
            os.path.join(path, name + ".zarr"),
            sc,
            fr,
            ag[:300],
            tl,
            chunks=(1, 16, 128, 400),
            comps=comps,
        )
        if name == "gzip":  # drop the time stamp of the gzip header
            for d, _, fs in os.walk(os.path.join(path, "gzip.zarr")):
                for f in fs:
                    if not f.startswith("."):
                        with open(os.path.join(d, f), "r+b") as fh:
                            fh.seek(4)
                            fh.write(b"\0\0\0\0")
    # a store with a missing chunk file (reads as zeros)
    p = os.path.join(path, "missing_chunk.zarr")
    write_zarr(p, sc, fr, ag[:300], tl, chunks=(1, 16, 128, 400))
    os.remove(os.path.join(p, "agents", "1"))
