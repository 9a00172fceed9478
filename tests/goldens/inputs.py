"""The inputs: L5Kit's test data, and a town around it."""

import json
import os
import shutil

import cv2
import numpy as np
from environment import ARTEFACTS
from l5kit.data import ChunkedDataset
from l5kit.geometry import transform_points
from stores import build_codecs, build_old_format
from town import LIGHTS, Town
from town_map import build_town_map
from town_scenes import build_multi_scene


def build_aerial(path, town, world_to_aerial):
    """2000 rows x 1000 columns, same geo reference as the stock image."""
    rng = np.random.RandomState(7)
    h, w = 2000, 1000
    small = rng.randint(0, 256, (h // 40, w // 40, 3)).astype(np.uint8)
    mid = rng.randint(0, 256, (h // 8, w // 8)).astype(np.uint8)
    im = cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC).astype(np.int32) // 2
    im += (cv2.resize(mid, (w, h), interpolation=cv2.INTER_LINEAR).astype(np.int32) // 5)[
        ..., None
    ]
    im[..., 1] += 40
    im = (np.clip(im, 0, 255) // 12 * 12).astype(np.uint8)

    def px(xyz):
        q = transform_points(xyz, world_to_aerial)[:, :2]
        return np.round(q[:, ::-1] * 16).astype(np.int32)  # (row, col) -> (x, y)

    road = px(town.main_off(np.linspace(-85, 385, 200), 1.95))
    cross = px(town.cross_off(np.linspace(-110, 110, 80), 0.0))
    for line in (road, cross):
        cv2.polylines(im, [line], False, (70, 70, 72), 31, cv2.LINE_8, 4)
    for line in (road, cross):
        cv2.polylines(im, [line], False, (40, 200, 230), 1, cv2.LINE_8, 4)
    for r in range(0, h, 100):
        im[r, :] = (r // 10 % 256, 255 - r // 10 % 256, 128)
    for c in range(0, w, 100):
        im[:, c] = (128, c // 4 % 256, 255 - c // 4 % 256)
    for k in range(60):
        x, y = rng.randint(0, w - 30), rng.randint(0, h - 30)
        a, b = rng.randint(6, 30), rng.randint(6, 30)
        im[y : y + b, x : x + a] = rng.randint(0, 256, 3)
    cv2.imwrite(path, im, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def make_inputs(st):
    inp = os.path.join(st.out, "inputs")
    os.makedirs(inp, exist_ok=True)
    for n in ("aerial_map.png", "meta.json", "semantic_map.pb"):
        shutil.copyfile(os.path.join(ARTEFACTS, n), os.path.join(inp, n))
        st.note("inputs/" + n, "copy of the data file of L5Kit's test artefacts")
    dst = os.path.join(inp, "single_scene.zarr")
    if os.path.exists(dst):
        shutil.rmtree(dst)
    shutil.copytree(
        os.path.join(ARTEFACTS, "single_scene.zarr"),
        dst,
        ignore=shutil.ignore_patterns("agents_mask"),
    )
    st.note(
        "inputs/single_scene.zarr",
        "copy of the data of L5Kit's test artefacts (1 scene, 248 frames)",
    )
    meta = json.load(open(os.path.join(inp, "meta.json")))
    w2e = np.array(meta["world_to_ecef"])
    town = Town(ChunkedDataset(dst).open().frames, w2e)
    names, lanes = build_town_map(town, os.path.join(inp, "town_map.pb"))
    st.note(
        "inputs/town_map.pb",
        "build_town_map(): {} lanes, {} crosswalks, {} lights; written with L5Kit's "
        "MapFragment".format(len(names["lanes"]), len(names["crosswalks"]), len(LIGHTS)),
    )
    st.json(
        "inputs/town_map_names.json",
        names,
        "element name used in make_goldens.py -> id in town_map.pb",
    )
    build_aerial(
        os.path.join(inp, "aerial_town.png"),
        town,
        np.matmul(np.array(meta["ecef_to_aerial"]), w2e),
    )
    st.note(
        "inputs/aerial_town.png",
        "build_aerial(): 2000 rows x 1000 columns, same geo reference as aerial_map.png",
    )
    build_old_format(dst, os.path.join(inp, "old_format.zarr"))
    st.note(
        "inputs/old_format.zarr",
        "first 30 frames of single_scene.zarr in the three-array format (no traffic "
        "lights)",
    )
    build_multi_scene(town, os.path.join(inp, "multi_scene.zarr"))
    st.note(
        "inputs/multi_scene.zarr",
        "build_multi_scene(): 5 scenes x 60 frames, small chunks, blosc lz4",
    )
    build_codecs(dst, os.path.join(inp, "codecs"))
    st.note(
        "inputs/codecs/*.zarr",
        "build_codecs(): 40 frames of single_scene.zarr (agents cut to 300) under other "
        "codecs; missing_chunk.zarr lacks the file agents/1, which reads as zeros",
    )
