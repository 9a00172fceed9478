"""Lanes of a synthetic town around the ego path of single_scene.zarr."""

import hashlib

import numpy as np


class Town:
    SX = 150.0  # arc length of the intersection on the main road

    def __init__(self, frames, world_to_ecef):
        self.M = world_to_ecef
        xyz = frames["ego_translation"][:]
        s = np.concatenate(
            [[0], np.cumsum(np.linalg.norm(np.diff(xyz[:, :2], axis=0), axis=1))]
        )
        grid = np.arange(0, s[-1], 5.0)
        p = np.stack([np.interp(grid, s, xyz[:, i]) for i in range(3)], -1)
        k = 5
        pad = np.concatenate([np.repeat(p[:1], k, 0), p, np.repeat(p[-1:], k, 0)])
        sm = np.stack(
            [
                np.convolve(pad[:, i], np.ones(2 * k + 1) / (2 * k + 1), "valid")
                for i in range(3)
            ],
            -1,
        )
        d0 = sm[k + 1] - sm[k]
        d1 = sm[-k - 1] - sm[-k - 2]
        core = sm[k:-k]
        n0, n1 = 28, 34
        pre = core[0] - d0 * np.arange(n0, 0, -1)[:, None]
        post = core[-1] + d1 * np.arange(1, n1 + 1)[:, None]
        self.pts = np.concatenate([pre, core, post])
        seg = np.linalg.norm(np.diff(self.pts[:, :2], axis=0), axis=1)
        self.s = (
            np.concatenate([[0], np.cumsum(seg)]) - n0 * np.linalg.norm(d0[:2]) + grid[k]
        )
        self.smax = self.s[-1]

    def main(self, s):
        s = np.asarray(s, dtype=float)
        p = np.stack([np.interp(s, self.s, self.pts[:, i]) for i in range(3)], -1)
        a = np.stack([np.interp(s + 2, self.s, self.pts[:, i]) for i in range(2)], -1)
        b = np.stack([np.interp(s - 2, self.s, self.pts[:, i]) for i in range(2)], -1)
        t = (a - b) / np.linalg.norm(a - b, axis=-1, keepdims=True)
        n = np.stack([-t[..., 1], t[..., 0]], -1)
        return p, t, n

    def main_off(self, s, off):
        p, _, n = self.main(s)
        q = p.copy()
        q[..., :2] += n * np.asarray(off)[..., None] if np.ndim(off) else n * off
        return q

    def cross_off(self, u, off):
        """Points of the cross street: u along the left normal of the main road at SX."""
        u = np.asarray(u, dtype=float)
        p, t, n = self.main(self.SX)
        c = p[:2] + u[:, None] * n + (0.0012 * u * u)[:, None] * t
        d = n + (0.0024 * u)[:, None] * t
        d /= np.linalg.norm(d, axis=1, keepdims=True)
        left = np.stack([-d[:, 1], d[:, 0]], -1)
        xy = c + left * off
        return np.concatenate([xy, np.full((len(u), 1), p[2]) + 0.004 * u[:, None]], -1)


def bezier(p0, t0, p1, t1, n):
    k = 0.45 * np.linalg.norm(p1 - p0)
    x = np.linspace(0, 1, n)[:, None]
    c = np.stack([p0, p0 + t0 * k, p1 - t1 * k, p1])
    return (
        (1 - x) ** 3 * c[0]
        + 3 * (1 - x) ** 2 * x * c[1]
        + 3 * (1 - x) * x**2 * c[2]
        + x**3 * c[3]
    )


def offset_line(center, off):
    d = np.gradient(center[:, :2], axis=0)
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    left = np.stack([-d[:, 1], d[:, 0]], -1)
    out = center.copy()
    out[:, :2] += left * off
    return out


MAIN_SEGS = [(-85, -25), (-25, 40), (40, 136), (164, 220), (220, 290), (290, 385)]


CROSS_SEGS = [(-110, -60), (-60, -12), (16, 60), (60, 110)]


MAIN_LANES = {"F0": (0.0, 1), "F1": (-3.5, 1), "B0": (3.9, -1), "B1": (7.4, -1)}


CROSS_LANES = {"P0": (-1.75, 1), "P1": (-5.25, 1), "N0": (1.75, -1), "N1": (5.25, -1)}


W = 3.5

# Lights and faces of single_scene.zarr: the kind of a light's faces, and their colours.


LIGHTS = {
    "aLv7": ("face", {"+Y8k": "green", "MGkm": "red", "dtRI": "yellow"}),
    "pmaD": ("face", {"N0ns": "red", "bhPu": "green", "sI9P": "yellow"}),
    "3VcD": ("upper_left_arrow", {"bjps": "yellow", "63+P": "red", "pQRu": "green"}),
    "LhR9": ("right_arrow", {"vuem": "red", "9bGo": "green", "OD0J": "yellow"}),
    "Ae1d": ("left_arrow", {"yYqI": "green", "DAYq": "red", "krCH": "yellow"}),
    "MfzU": ("upper_right_arrow", {"+Zo/": "red", "PBWh": "green", "wsA+": "yellow"}),
}


def short_id(name, taken):
    alpha = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    salt = 0
    while True:
        h = hashlib.sha1((f"{name}#{salt}").encode()).digest()
        v = "".join(alpha[b & 63] for b in h[:4])
        if v not in taken:
            taken.add(v)
            return v
        salt += 1


def town_lanes(town):
    """name -> dict(center, left, right, ...) in world coordinates."""
    lanes = {}

    def add(name, center, width=W, left_every=1, right_every=1, **kw):
        le, ri = offset_line(center, width / 2), offset_line(center, -width / 2)

        def thin(x, n):
            keep = sorted(set(list(range(0, len(x), n)) + [len(x) - 1]))
            return x[keep]

        lanes[name] = dict(
            center=center, left=thin(le, left_every), right=thin(ri, right_every), **kw
        )

    for i, (a, b) in enumerate(MAIN_SEGS):
        for ln, (off, sgn) in MAIN_LANES.items():
            s = np.linspace(a, b, int((b - a) / 3.0) + 2)
            c = town.main_off(s if sgn > 0 else s[::-1], off)
            add(
                f"M{i}{ln}",
                c,
                left_every=1 + (i + (ln[1] == "1")) % 3,
                right_every=1 + (i + 1) % 2,
                road="main",
            )
    for i, (a, b) in enumerate(CROSS_SEGS):
        for ln, (off, sgn) in CROSS_LANES.items():
            u = np.linspace(a, b, int((b - a) / 4.0) + 2)
            c = town.cross_off(u, off)
            add(
                f"C{i}{ln}",
                c if sgn > 0 else c[::-1],
                left_every=1 + i % 2,
                right_every=1,
                road="cross",
            )
    # through lanes in the intersection
    for ln, (off, sgn) in MAIN_LANES.items():
        s = np.linspace(136, 164, 8)
        add("XM" + ln, town.main_off(s if sgn > 0 else s[::-1], off), road="x")
    for ln, (off, sgn) in CROSS_LANES.items():
        u = np.linspace(-12, 16, 8)
        c = town.cross_off(u, off)
        add("XC" + ln, c if sgn > 0 else c[::-1], road="x")

    def turn(name, src, dst, n):
        p0, p1 = lanes[src]["center"], lanes[dst]["center"]
        t0 = (p0[-1] - p0[-2])[:2]
        t1 = (p1[1] - p1[0])[:2]
        t0, t1 = t0 / np.linalg.norm(t0), t1 / np.linalg.norm(t1)
        xy = bezier(p0[-1, :2], t0, p1[0, :2], t1, n)
        z = np.linspace(p0[-1, 2], p1[0, 2], n)[:, None]
        add(
            name,
            np.concatenate([xy, z], -1),
            left_every=1,
            right_every=1,
            road="x",
            turn=True,
            src=src,
            dst=dst,
        )

    turn("TLF", "M2F0", "C2P0", 13)
    turn("TRF", "M2F1", "C1N1", 9)
    turn("TLB", "M3B0", "C1N0", 14)
    turn("TRB", "M3B1", "C2P1", 9)
    turn("TLP", "C1P0", "M2B0", 12)
    turn("TRP", "C1P1", "M3F1", 7)
    turn("TLN", "C2N0", "M3F0", 13)
    turn("TRN", "C2N1", "M2B1", 8)
    # special lanes
    add(
        "PK0",
        town.main_off(np.linspace(60, 125, 9), -6.75),
        width=2.5,
        road="main",
        parked=True,
    )
    add(
        "PK1",
        town.main_off(np.linspace(175, 280, 30), -6.75),
        width=2.5,
        road="main",
        parked=True,
        right_every=4,
    )
    add("BUS", town.main_off(np.linspace(230, 285, 12)[::-1], 10.9), road="main", access=3)
    add(
        "BIKE",
        town.main_off(np.linspace(100, 134, 6), -8.75),
        width=1.5,
        road="main",
        access=4,
    )
    base = town.main_off(np.array([205.0]), -32.0)[0]
    ang = np.linspace(0, 1.75 * np.pi, 30)
    aisle = np.stack(
        [base[0] + 12 * np.cos(ang), base[1] + 9 * np.sin(ang), np.full(30, base[2])], -1
    )
    add("AIS0", aisle, width=5.0, road="lot", parked=True)
    add(
        "AIS1",
        np.linspace(
            town.main_off(np.array([212.0]), -22.0)[0],
            town.main_off(np.array([216.0]), -8.5)[0],
            4,
        ),
        width=5.0,
        road="lot",
        stop=True,
    )
    c = town.main_off(np.linspace(20, 38, 7), -12.0)
    lanes["DUP"] = dict(
        center=c,
        left=offset_line(c, 1.2)[[0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6]],
        right=offset_line(c, -1.2)[[0, 0, 2, 4, 6]],
        road="lot",
    )
    c = town.main_off(np.linspace(45, 50, 3), -14.0)
    lanes["ONE"] = dict(
        center=c, left=offset_line(c, 1.0)[:1], right=offset_line(c, -1.0), road="lot"
    )
    c = town.main_off(np.linspace(56, 56.03, 3), -14.0)
    lanes["TINY"] = dict(
        center=c, left=c + [0, 0.02, 0], right=c - [0, 0.02, 0], road="lot"
    )
    c = town.main_off(np.linspace(-80, 380, 93), 14.5)
    add("LONG", c, width=2.0, road="main", right_every=7)
    far = town.main_off(np.array([0.0, 30.0, 60.0]), 600.0)
    add("FAR0", far, road="far")
    add("FAR1", far + [0, 900.0, 0], road="far")
    return lanes
