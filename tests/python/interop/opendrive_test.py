"""Maps of OpenDRIVE, compared with an evaluator that integrates reference lines with NumPy:
the ends of every lane. BEV_OPENDRIVE names a folder of further maps."""

import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from bevscope.l5kit.data import MapAPI

REAL = os.environ.get("BEV_OPENDRIVE")
#: Lanes of seven of esmini's maps (resources/xodr), as many as libOpenDRIVE has.
LANES = {
    "straight_500m": 2,
    "curve_r100": 2,
    "crest-curve": 2,
    "e6mini": 6,
    "fabriksgatan": 20,
    "soderleden": 11,
    "multi_intersections": 86,
}
DRIVEN = {"driving", "entry", "exit", "onRamp", "offRamp", "bus", "biking"}
NODES, WEIGHTS = np.polynomial.legendre.leggauss(100)


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def cubic(elements, s, key="s"):
    """Returns the value of the last polynomial that begins before `s`, or at 0."""
    begun = [one for one in elements if float(one.get(key)) < max(s, 1e-12)]
    if not begun:
        return 0.0
    return np.polyval(numbers(begun[-1], *"dcba"), s - float(begun[-1].get(key)))


def integral(function, end):
    """Returns the integral from 0, by Gauss and Legendre."""
    return end / 2 * (WEIGHTS * function(end / 2 * (NODES + 1))).sum()


def arc_length_inverse(slopes, length):
    """Returns u of v(u), where the curve from 0 to u has a length."""
    low, high = 0.0, length
    for _ in range(60):
        u = (low + high) / 2
        found = integral(lambda x: np.hypot(1, np.polyval(slopes, x)), u)
        low, high = (u, high) if found < length else (low, u)
    return low


def place(road, s):
    """Returns position and heading of the reference line."""
    parts = road.findall("planView/geometry")
    part = [one for one in parts if float(one.get("s")) < max(s, 1e-12)][-1]
    start, x, y, heading, length = numbers(part, "s", "x", "y", "hdg", "length")
    (shape,) = (one for one in part if one.tag != "userData")
    ds = s - start
    if shape.tag in ("line", "arc", "spiral"):
        begin, end = 0.0, 0.0
        if shape.tag == "arc":
            begin = end = float(shape.get("curvature"))
        elif shape.tag == "spiral":
            begin, end = numbers(shape, "curvStart", "curvEnd")

        def turned(at):
            return heading + begin * at + (end - begin) * at**2 / (2 * length)

        x += integral(lambda at: np.cos(turned(at)), ds)
        y += integral(lambda at: np.sin(turned(at)), ds)
        return x, y, turned(ds)
    if shape.tag == "poly3":
        v = numbers(shape, *"dcba")
        p = arc_length_inverse(np.polyder(v), ds)
        at, along = (p, np.polyval(v, p)), (1, np.polyval(np.polyder(v), p))
    else:
        u, v = (numbers(shape, *(f"{one}{axis}" for one in "dcba")) for axis in "UV")
        p = ds if shape.get("pRange") == "arcLength" else ds / length
        at = np.polyval(u, p), np.polyval(v, p)
        along = np.polyval(np.polyder(u), p), np.polyval(np.polyder(v), p)
    cos, sin = np.cos(heading), np.sin(heading)
    x += at[0] * cos - at[1] * sin
    y += at[0] * sin + at[1] * cos
    return x, y, heading + np.arctan2(along[1], along[0])


def lane_ends(road, section, begin, end):
    """Yields each driven lane with the positions of its middle at both ends, along the
    road."""
    for side, sign in (("left", 1), ("right", -1)):
        lanes = {int(one.get("id")): one for one in section.findall(f"{side}/lane")}
        found = {name: [] for name in lanes}
        for s in (begin, end):
            inner = cubic(road.findall("lanes/laneOffset"), s if s == end else s + 1e-9)
            x, y, heading = place(road, s if s == end else s + 1e-9)
            for name in sorted(lanes, key=abs):
                ds = s - begin if s == end else 1e-9
                widths, borders = (lanes[name].findall(one) for one in ("width", "border"))
                outer = inner + sign * cubic(widths, ds, "sOffset")
                if borders and not widths:
                    outer = cubic(borders, ds, "sOffset")
                t, inner = (inner + outer) / 2, outer
                found[name].append((x - t * np.sin(heading), y + t * np.cos(heading)))
        for name, ends in found.items():
            if lanes[name].get("type") in DRIVEN:
                yield name, ends


def expected(path):
    """Returns the ends of each lane by its id, in the direction of traffic."""
    root = ElementTree.fromstring(path.read_text().strip())
    shift = root.find("header/offset")
    x, y, turn = (0.0, 0.0, 0.0) if shift is None else numbers(shift, "x", "y", "hdg")
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    out = {}
    for road in root.findall("road"):
        sections = road.findall("lanes/laneSection")
        starts = [float(one.get("s")) for one in sections] + [float(road.get("length"))]
        for i, section in enumerate(sections):
            for name, ends in lane_ends(road, section, *starts[i : i + 2]):
                is_along = (name < 0) != (road.get("rule") == "LHT")
                points = (np.array(ends) + (x, y)) @ turned
                out[f"{road.get('id')}/{i}/{name}"] = points if is_along else points[::-1]
    return out


def check(path, folder, program):
    """Compares the ends of all lanes, to a centimetre; returns the number of lanes."""
    command = [program, "convert", "opendrive", path, "-o", folder]
    done = subprocess.run([str(one) for one in command], check=True, capture_output=True)
    lanes = expected(path)
    assert json.loads(done.stdout)["lanes"] == len(lanes)
    meta = json.loads((folder / "meta.json").read_text())
    semantic = MapAPI(
        str(folder / "semantic_map/semantic_map.pb"), np.array(meta["world_to_ecef"])
    )
    for name, ends in lanes.items():
        found = semantic.get_lane_coords(name)
        middle = (found["xyz_left"][[0, -1], :2] + found["xyz_right"][[0, -1], :2]) / 2
        assert np.hypot(*(middle - ends).T).max() < 0.01, name
    return len(lanes)


def lane(name, *lines, kind="driving"):
    return f'<lane id="{name}" type="{kind}">{"".join(lines)}</lane>'


def polynomial(tag, at, a, b=0.0, c=0.0, d=0.0, key="sOffset"):
    return f'<{tag} {key}="{at}" a="{a}" b="{b}" c="{c}" d="{d}"/>'


def road(name, length, parts, lanes, more=""):
    plan = "".join(
        f'<geometry s="{s}" x="{x}" y="{y}" hdg="{heading}" length="{size}">{shape}'
        "</geometry>"
        for s, x, y, heading, size, shape in parts
    )
    return (
        f'<road id="{name}" length="{length}" {more}><planView>{plan}</planView>'
        f"<lanes>{lanes}</lanes></road>"
    )


#: Every shape of a reference line; sections with a jump of the offset, borders, traffic on
#: the left, and an offset of the file.
MADE = f"""<?xml version="1.0"?>
<OpenDRIVE><header><offset x="1000" y="-500" z="2" hdg="0.3"/></header>
{
    road(
        "a",
        60,
        [
            (0, 5, 6, 0.2, 20, "<line/>"),
            (
                20,
                24.6013315568,
                9.9733866159,
                0.2,
                15,
                '<spiral curvStart="0" curvEnd="0.04"/>',
            ),
            (35, 38, 15, 0.5, 10, '<arc curvature="-0.03"/>'),
            (45, 48, 18, 0.2, 15, '<poly3 a="0" b="0.1" c="0.01" d="0.0002"/>'),
        ],
        polynomial("laneOffset", 0, 0.5, 0.01, key="s")
        + polynomial("laneOffset", 30, -1.75, key="s")
        + '<laneSection s="0"><left>'
        + lane(1, polynomial("width", 0, 3, 0.02, 0.001))
        + "</left><right>"
        + lane(-1, polynomial("width", 0, 3.5), polynomial("width", 12, 3.5, 0.05))
        + lane(-2, polynomial("width", 0, 1.5), kind="sidewalk")
        + lane(-3, polynomial("width", 0, 2), kind="biking")
        + '</right></laneSection><laneSection s="30"><right>'
        + lane(-1, polynomial("border", 0, -6, -0.02))
        + "</right></laneSection>",
    )
}
{
    road(
        "b",
        20,
        [
            (
                0,
                -30,
                4,
                1.0,
                20,
                '<paramPoly3 aU="0" bU="20" cU="-1" dU="0.3" aV="0" bV="0" cV="3" dV="-1" '
                'pRange="normalized"/>',
            )
        ],
        '<laneSection s="0"><left>'
        + lane(1, polynomial("width", 0, 3))
        + "</left><right>"
        + lane(-1, polynomial("width", 0, 3))
        + "</right></laneSection>",
        'rule="LHT"',
    )
}
</OpenDRIVE>
"""


def test_the_ends_of_every_lane_are_where_the_evaluator_has_them(tmp_path, program):
    path = tmp_path / "made.xodr"
    path.write_text(MADE)
    assert check(path, tmp_path / "out", program) == 6


@pytest.mark.parametrize("name", LANES)
def test_lanes_of_public_maps_end_where_the_evaluator_has_them(tmp_path, name, program):
    if REAL is None:
        pytest.skip("BEV_OPENDRIVE is not set")
    path = Path(REAL) / f"{name}.xodr"
    assert check(path, tmp_path / "out", program) == LANES[name]
