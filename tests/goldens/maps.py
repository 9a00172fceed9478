"""Steps: the semantic map and the content of the visualizer."""

import json
import os

import numpy as np
from l5kit.data import MapAPI
from town import LIGHTS


def run_map(ctx):
    from l5kit.data.map_api import InterpolationMethod as IM

    st = ctx.st
    meta = json.load(open(os.path.join(ctx.inp, "meta.json")))
    w2e = np.array(meta["world_to_ecef"])

    def fresh(n="town_map.pb"):
        return MapAPI(os.path.join(ctx.inp, n), w2e)

    m = fresh()
    arrays = {}
    info = {"n_elements": len(m), "lanes": {}, "order": [], "crosswalks": [], "tce": {}}
    for el in m:
        i = m.id_as_str(el.id)
        info["order"].append(i)
        kind = el.element.WhichOneof("element")
        if m.is_lane(el):
            c = m.get_lane_coords(i)
            k = len(info["lanes"])
            arrays[f"lane{k:03d}.left"] = c["xyz_left"].copy()
            arrays[f"lane{k:03d}.right"] = c["xyz_right"].copy()
            ln = el.element.lane
            info["lanes"][i] = {
                "k": k,
                "traffic_controls": sorted(m.get_lane_traffic_control_ids(i)),
                "lanes_ahead": [m.id_as_str(x) for x in ln.lanes_ahead],
                "adjacent_left": m.id_as_str(ln.adjacent_lane_change_left),
                "adjacent_right": m.id_as_str(ln.adjacent_lane_change_right),
                "parent": m.id_as_str(ln.parent_segment_or_junction),
                "access": int(ln.access_restriction.type),
                "turn": int(ln.turn_type_in_parent_junction),
                "orientation": int(ln.orientation_in_parent_segment),
                "parked": bool(ln.can_have_parked_cars),
                "lat_e7": ln.geo_frame.origin.lat_e7,
                "lng_e7": ln.geo_frame.origin.lng_e7,
                "bearing": ln.geo_frame.bearing_degrees,
            }
        if m.is_crosswalk(el):
            arrays[f"crosswalk{len(info['crosswalks']):03d}"] = m.get_crosswalk_coords(i)[
                "xyz"
            ]
            info["crosswalks"].append(i)
        if kind == "traffic_control_element":
            col = None
            try:
                col = m.get_color_for_face(i)
            except ValueError as e:
                col = "ValueError: " + str(e)
            info["tce"][i] = {
                "type": el.element.traffic_control_element.WhichOneof("Type"),
                "is_traffic_light": m.is_traffic_light(i),
                "is_traffic_face": m.is_traffic_face(i),
                "color": col,
            }
    arrays["bounds.lanes"] = m.bounds_info["lanes"]["bounds"]
    arrays["bounds.crosswalks"] = m.bounds_info["crosswalks"]["bounds"]
    assert m.bounds_info["lanes"]["ids"] == list(info["lanes"])
    st.npz(
        "outputs/map/town_raw.npz",
        arrays,
        "MapAPI(town_map.pb, world_to_ecef): get_lane_coords, "
        "get_crosswalk_coords, bounds_info (before any interpolation)",
    )
    st.json(
        "outputs/map/town_info.json",
        info,
        "MapAPI element order, lanes, crosswalks, traffic elements",
    )
    for tag, step, method in (
        ("ensure20", 20, IM.INTER_ENSURE_LEN),
        ("ensure7", 7, IM.INTER_ENSURE_LEN),
        ("ensure2", 2, IM.INTER_ENSURE_LEN),
        ("meter1", 1.0, IM.INTER_METER),
        ("meter2p5", 2.5, IM.INTER_METER),
    ):
        m = fresh()
        arrays = {}
        for i, v in info["lanes"].items():
            d = m.get_lane_as_interpolation(i, step, method)
            for n in ("xyz_left", "xyz_right", "xyz_midlane"):
                arrays[f"lane{v['k']:03d}.{n}"] = d[n]
        st.npz(
            f"outputs/map/town_{tag}.npz",
            arrays,
            f"fresh MapAPI; get_lane_as_interpolation(id, {step}, {method.name}) once "
            f"per lane, file order",
        )
    # tl feature
    m = fresh()
    f2c = {f: c for _, (_, fs) in LIGHTS.items() for f, c in fs.items()}
    cases = [
        {},
        dict(f2c),
        {"+Y8k": "green"},
        {"+Y8k": "green", "MGkm": "red"},
        {"dtRI": "yellow", "+Y8k": "green"},
        {"N0ns": "red"},
        {"bjps": "yellow", "vuem": "red", "yYqI": "green"},
    ]
    out = []
    for c in cases:
        out.append(
            {
                "active": c,
                "feature": {i: m.get_tl_feature_for_lane(i, c) for i in info["lanes"]},
            }
        )
    st.json(
        "outputs/map/town_tl_feature.json",
        out,
        "MapAPI.get_tl_feature_for_lane(lane, active face -> colour)",
    )
    # a known trap: the cached lane dict is overwritten in place
    m = fresh()
    i = list(info["lanes"])[0]
    arrays = {"first_raw": m.get_lane_coords(i)["xyz_left"].copy()}
    d20 = m.get_lane_as_interpolation(i, 20, IM.INTER_ENSURE_LEN)
    arrays["after20_get_lane_coords"] = m.get_lane_coords(i)["xyz_left"].copy()
    arrays["interp20"] = d20["xyz_left"].copy()
    arrays["interp7_after20"] = m.get_lane_as_interpolation(i, 7, IM.INTER_ENSURE_LEN)[
        "xyz_left"
    ].copy()
    arrays["interp20_again"] = m.get_lane_as_interpolation(i, 20, IM.INTER_ENSURE_LEN)[
        "xyz_left"
    ].copy()
    arrays["interp7_fresh"] = (
        fresh().get_lane_as_interpolation(i, 7, IM.INTER_ENSURE_LEN)["xyz_left"].copy()
    )
    st.npz(
        "outputs/map/cache_mutation.npz",
        arrays,
        "first lane of town_map.pb: the order of calls changes results "
        "because get_lane_as_interpolation overwrites the dict cached by get_lane_coords",
    )
    m = fresh("semantic_map.pb")
    arrays = {
        "bounds.lanes": m.bounds_info["lanes"]["bounds"],
        "bounds.crosswalks": m.bounds_info["crosswalks"]["bounds"],
    }
    for k, i in enumerate(m.bounds_info["lanes"]["ids"]):
        c = m.get_lane_coords(i)
        arrays[f"lane{k:03d}.left"], arrays[f"lane{k:03d}.right"] = (
            c["xyz_left"],
            c["xyz_right"],
        )
    st.npz(
        "outputs/map/stock_raw.npz",
        arrays,
        "MapAPI(semantic_map.pb): its one lane has an empty id and an empty frame",
    )
    # interpolate() alone
    arrays = {}
    rng = np.random.RandomState(3)
    for k in range(12):
        n = int(rng.randint(1, 15))
        p = np.cumsum(rng.normal(0, 4, (n, 3)), 0)
        if k % 3 == 2 and n > 3:
            p[2] = p[1]
        arrays[f"{k:02d}.in"] = p
        arrays[f"{k:02d}.ensure13"] = MapAPI.interpolate(p, 13, IM.INTER_ENSURE_LEN)
        arrays[f"{k:02d}.meter0p7"] = MapAPI.interpolate(p, 0.7, IM.INTER_METER)
    st.npz(
        "outputs/map/interpolate.npz",
        arrays,
        "MapAPI.interpolate(in, 13, INTER_ENSURE_LEN) / (in, 0.7, INTER_METER)",
    )


def run_visualizer(ctx):
    from l5kit.visualization.visualizer.zarr_utils import zarr_to_visualizer_scene

    st = ctx.st
    meta = json.load(open(os.path.join(ctx.inp, "meta.json")))
    m = MapAPI(os.path.join(ctx.inp, "town_map.pb"), np.array(meta["world_to_ecef"]))
    for tag, src, sc, pick in (
        ("single", "single_scene.zarr", 0, (0, 90, 247)),
        ("multi", "multi_scene.zarr", 2, (0, 30, 59)),
    ):
        vis = zarr_to_visualizer_scene(ctx.zarr(src).get_scene_dataset(sc), m)
        out = {}
        for i in pick:
            fv = vis[i]
            out[str(i)] = {
                "ego": fv.ego._asdict(),
                "agents": [x._asdict() for x in fv.agents],
                "lanes": [x._asdict() for x in fv.lanes],
                "crosswalks": [x._asdict() for x in fv.crosswalks],
                "trajectories": [x._asdict() for x in fv.trajectories],
            }
        st.json(
            f"outputs/visualizer/{tag}.json",
            out,
            f"zarr_to_visualizer_scene({src} scene {sc}, MapAPI(town_map.pb)), frames "
            f"{list(pick)}",
        )
