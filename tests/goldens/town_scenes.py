"""Five scenes of traffic in the town."""

import numpy as np
import transforms3d
from l5kit.data import (
    AGENT_DTYPE,
    FRAME_DTYPE,
    PERCEPTION_LABELS,
    SCENE_DTYPE,
    TL_FACE_DTYPE,
)
from stores import write_zarr
from town import LIGHTS, town_lanes


def euler_to_rot(roll, pitch, yaw):

    return transforms3d.euler.euler2mat(roll, pitch, yaw)


def wrap(a):
    return (a + np.pi) % (2 * np.pi) - np.pi


def build_multi_scene(town, path):
    lanes = town_lanes(town)

    def route(*names):
        p = np.concatenate([lanes[n]["center"] for n in names])
        keep = np.concatenate(
            [[True], np.linalg.norm(np.diff(p[:, :2], axis=0), axis=1) > 0.05]
        )
        p = p[keep]
        s = np.concatenate(
            [[0], np.cumsum(np.linalg.norm(np.diff(p[:, :2], axis=0), axis=1))]
        )
        g = np.arange(0, s[-1], 1.0)
        q = np.stack([np.interp(g, s, p[:, i]) for i in range(3)], -1)
        k = 3
        pad = np.concatenate(
            [
                q[:1] + (q[:1] - q[1:2]) * np.arange(k, 0, -1)[:, None],
                q,
                q[-1:] + (q[-1:] - q[-2:-1]) * np.arange(1, k + 1)[:, None],
            ]
        )
        q = np.stack(
            [
                np.convolve(pad[:, i], np.ones(2 * k + 1) / (2 * k + 1), "valid")
                for i in range(3)
            ],
            -1,
        )
        s = np.concatenate(
            [[0], np.cumsum(np.linalg.norm(np.diff(q[:, :2], axis=0), axis=1))]
        )
        return s, q

    F0 = route("M0F0", "M1F0", "M2F0", "XMF0", "M3F0", "M4F0", "M5F0")
    F1 = route("M0F1", "M1F1", "M2F1", "XMF1", "M3F1", "M4F1", "M5F1")
    B0 = route("M5B0", "M4B0", "M3B0", "XMB0", "M2B0", "M1B0", "M0B0")
    B1 = route("M5B1", "M4B1", "M3B1", "XMB1", "M2B1", "M1B1", "M0B1")
    CP = route("C0P0", "C1P0", "XCP0", "C2P0", "C3P0")
    CN = route("C3N0", "C2N0", "XCN0", "C1N0", "C0N0")
    LT = route("M1F0", "M2F0", "TLF", "C2P0", "C3P0")
    RT = route("M1F1", "M2F1", "TRF", "C1N1", "C0N1")
    CW = route("C1N1", "XCN1")
    routes = {
        "F0": F0,
        "F1": F1,
        "B0": B0,
        "B1": B1,
        "CP": CP,
        "CN": CN,
        "LT": LT,
        "RT": RT,
        "CW": CW,
    }

    def pose(rt, s):
        g, q = routes[rt]
        s = np.clip(s, 1.5, g[-1] - 1.5)
        p = np.array([np.interp(s, g, q[:, i]) for i in range(3)])
        a = np.array([np.interp(s + 1.2, g, q[:, i]) for i in range(2)])
        b = np.array([np.interp(s - 1.2, g, q[:, i]) for i in range(2)])
        return p, np.arctan2(a[1] - b[1], a[0] - b[0])

    L = {n.replace("PERCEPTION_LABEL_", ""): i for i, n in enumerate(PERCEPTION_LABELS)}
    size = {
        "CAR": (4.6, 1.9, 1.6),
        "VAN": (5.3, 2.0, 2.1),
        "BUS": (11.8, 2.6, 3.2),
        "TRUCK": (8.4, 2.5, 3.1),
        "PEDESTRIAN": (0.7, 0.6, 1.7),
        "CYCLIST": (1.8, 0.7, 1.7),
        "BICYCLE": (1.7, 0.6, 1.1),
        "MOTORCYCLE": (2.1, 0.9, 1.2),
        "MOTORCYCLIST": (2.2, 0.9, 1.7),
        "TRAM": (16.0, 2.6, 3.4),
        "EMERGENCY_VEHICLE": (6.6, 2.3, 2.8),
        "OTHER_VEHICLE": (3.1, 1.6, 1.5),
        "ANIMAL": (0.8, 0.3, 0.6),
    }
    T = 60
    n_sc = 5
    ego_plan = [
        ("F0", 130.0, 9.0, 1.5),
        ("B0", 190.0, 7.0, -2.0),
        ("LT", 110.0, 6.5, 0.5),
        ("F1", 260.0, 0.0, 0.0),
        ("CN", 40.0, 14.0, 1.0),
    ]
    hosts = ["host-a007", "host-a007", "host-b1", "host-a013-longnm", "host-a007"]
    t0 = 1572643684801892606
    kinds = [
        # label, route, start offset from ego (m, along), lateral, speed, birth, death, more
        ("CAR", "F0", 14, 0.0, 9.0, 0, 60, {}),
        ("VAN", "F1", -12, 0.0, 8.0, 0, 60, {}),
        ("TRUCK", "B0", 0, 0.0, 7.5, 5, 50, {}),
        ("BUS", "B1", 20, 0.0, 5.0, 0, 60, {}),
        ("CAR", "LT", 0, 0.0, 6.0, 0, 60, {}),
        ("CAR", "CP", 0, 0.0, 8.0, 20, 60, {"jump": 41}),
        ("PEDESTRIAN", "CW", 0, 8.5, 1.3, 0, 60, {}),
        ("CYCLIST", "RT", 0, -1.0, 4.0, 0, 40, {"hole": (22, 25)}),
        ("CAR", "CN", 0, 0.0, 10.0, 0, 60, {"grow": 33}),
    ]
    extra = [
        [
            ("MOTORCYCLE", "F1", 25, 0.0, 9.5, 0, 60, {}),
            ("UNKNOWN", "F0", -20, 6.0, 0.0, 0, 60, {}),
            ("CAR", "F0", 95, 0.0, 12.0, 0, 60, {}),
            ("DONTCARE", "B0", 10, 3.0, 0.0, 12, 47, {}),
        ],
        [
            ("TRAM", "B0", 30, 0.0, 6.0, 0, 60, {}),
            (
                "CAR",
                "B1",
                -8,
                0.0,
                6.0,
                0,
                60,
                {"mix": {"CAR": 0.45, "VAN": 0.3, "UNKNOWN": 0.25}},
            ),
            ("CAR", "B1", -25, 0.0, 6.0, 0, 60, {"mix": {"CAR": 0.3, "DONTCARE": 0.7}}),
            ("NOT_SET", "B0", -10, 4.0, 0.0, 0, 60, {}),
        ],
        [
            ("MOTORCYCLIST", "LT", -9, 0.0, 6.5, 0, 60, {}),
            ("CAR", "LT", 11, 0.0, 6.5, 0, 60, {"mix": {"CAR": 0.5, "UNKNOWN": 0.5}}),
            ("ANIMAL", "CW", 4, 10.0, 0.8, 15, 55, {}),
            ("BICYCLE", "RT", 12, -2.5, 0.0, 0, 60, {}),
            ("AVRESEARCH_LABEL_DONTCARE", "F0", 3, 5.0, 0.0, 0, 60, {}),
        ],
        [
            ("CAR", "F1", 8, -3.2, 0.0, 3, 60, {}),
            ("CAR", "F1", 15, -3.2, 0.0, 3, 60, {"tiny": True}),
            ("EMERGENCY_VEHICLE", "F0", -30, 0.0, 13.0, 3, 60, {}),
            ("OTHER_VEHICLE", "F0", 12, 1.0, 2.0, 3, 60, {"big_id": True}),
            (
                "CAR",
                "F1",
                22,
                -3.2,
                0.0,
                30,
                60,
                {"mix": {"CAR": 0.26, "VAN": 0.25, "UNKNOWN": 0.49}},
            ),
        ],
        [
            ("CAR", "CN", 12, 0.0, 14.0, 0, 60, {}),
            (
                "CAR",
                "CN",
                -13,
                0.0,
                13.0,
                0,
                60,
                {"mix": {"CAR": 0.8, "TRUCK": 0.15, "UNKNOWN": 0.05}},
            ),
            ("TRUCK", "CN", 24, 0.2, 11.0, 8, 60, {}),
            ("PEDESTRIAN", "CW", 2, 12.0, 1.1, 0, 33, {"overlap": True}),
        ],
    ]
    rng = np.random.RandomState(1234)
    scenes, frames, agents, tls = [], [], [], []
    for sc in range(n_sc):
        rt, s0, v0, acc = ego_plan[sc]
        start_frame = len(frames)
        stamp = t0
        # build tracks: list of per-frame records
        plan = [k for k in kinds if not (sc == 3 and k[1] in ("LT", "CN"))] + extra[sc]
        tracks = []
        for k, (label, art, ds, lat, v, birth, death, ex) in enumerate(plan):
            if sc == 3:
                birth = max(birth, 3)
            base = (
                s0
                if art == rt
                else {
                    "F0": 140,
                    "F1": 130,
                    "B0": 150,
                    "B1": 160,
                    "CP": 60,
                    "CN": 60,
                    "LT": 90,
                    "RT": 100,
                    "CW": 8,
                }[art]
                + 6 * sc
            )
            tid = k + 1 if not ex.get("big_id") else 4294967301
            lab = np.zeros(17, np.float32)
            if "mix" in ex:
                for n, p in ex["mix"].items():
                    lab[L[n]] = p
            else:
                lab[L.get(label, L.get(label.replace("PERCEPTION_LABEL_", ""), 16))] = 1.0
            ext = np.array(size.get(label, (2.0, 2.0, 1.5)), np.float32)
            if ex.get("tiny"):
                ext = np.array((0.05, 0.08, 0.4), np.float32)
            ph = rng.uniform(0, 2 * np.pi)
            jit = rng.normal(0, 0.02, (T, 2))
            yj = rng.normal(0, 0.004, T)
            ej = 1 + rng.normal(0, 0.004, (T, 3))
            tracks.append(
                (tid, art, base + ds, lat, v, birth, death, ex, lab, ext, ph, jit, yj, ej)
            )
        stamps = []
        for f in range(T):
            stamps.append(stamp)
            step = 100000000 + (int(rng.randint(-900, 900)) * 1000)
            t = f * 0.1
            es = s0 + v0 * t + 0.5 * acc * t * t * (1 if v0 else 0)
            p, yaw = pose(rt, es)
            rot = euler_to_rot(0.008 * np.sin(0.7 * t), 0.012 * np.cos(0.5 * t), yaw)
            a_start = len(agents)
            for tid, art, sb, lat, v, birth, death, ex, lab, ext, ph, jit, yj, ej in tracks:
                if not birth <= f < death:
                    continue
                if "hole" in ex and ex["hole"][0] <= f < ex["hole"][1]:
                    continue
                s = sb + v * t + (0.6 * np.sin(0.8 * t + ph) if v > 0 else 0.0)
                q, ay = pose(art, s)
                n = np.array([-np.sin(ay), np.cos(ay)])
                c = q[:2] + n * lat + jit[f] * (1 if v > 0 else 0.2)
                if ex.get("overlap"):
                    c = p[:2] + [1.0, 0.5]
                yw = wrap(
                    ay
                    + yj[f]
                    + (np.pi / 2 if lat > 8 else 0)
                    + (0.9 if ex.get("jump") == f else 0)
                )
                e = ext * ej[f] if v > 0 else ext
                if "grow" in ex and f >= ex["grow"]:
                    e = e * np.array([1.12, 1.05, 1.0])
                vel = v + (0.48 * np.cos(0.8 * t + ph) if v > 0 else 0)
                agents.append(
                    (
                        c,
                        e.astype(np.float32),
                        np.float32(yw),
                        np.array([vel * np.cos(ay), vel * np.sin(ay)], np.float32),
                        tid,
                        lab,
                    )
                )
            l_start = len(tls)
            if not (sc == 3 and f < 30):
                for li, (light, (_, faces)) in enumerate(LIGHTS.items()):
                    if sc == 4 and li == 5:
                        continue
                    phase = (f + 11 * li + 17 * sc) % 55
                    col = (
                        "red"
                        if phase < 22
                        else "green"
                        if phase < 44
                        else "yellow"
                        if phase < 51
                        else None
                    )
                    for face, fc in faces.items():
                        st = np.zeros(3, np.float32)
                        st[0 if fc == col else (2 if col is None else 1)] = 1.0
                        tls.append((face, light, st))
                if sc == 3:
                    tls.append(
                        ("ZZZZ", "zzzz", np.array([1, 0, 0], np.float32))
                    )  # not in the map
            frames.append((stamp, (a_start, len(agents)), (l_start, len(tls)), p, rot))
            stamp += step
        scenes.append(((start_frame, len(frames)), hosts[sc], stamps[0], stamp))
        t0 = stamp if sc == 0 else stamp + 5000000000 * (sc + 1)
    write_zarr(
        path,
        np.array(scenes, dtype=SCENE_DTYPE),
        np.array(frames, dtype=FRAME_DTYPE),
        np.array(agents, dtype=AGENT_DTYPE),
        np.array(tls, dtype=TL_FACE_DTYPE),
        chunks=(2, 50, 100, 100),
    )
