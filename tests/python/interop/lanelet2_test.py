"""Maps of Lanelet2, compared with the package `lanelet2`: positions, directions, links.

BEV_LANELET2 names the folder `lanelet2_maps/res` of its repository, whose example is then
compared as well."""

import json
import os
import random
import subprocess
from pathlib import Path

import lanelet2
import numpy as np
import pytest
from lanelet2.core import AttributeMap, Lanelet, LineString3d, Point3d, getId
from lanelet2.geometry import follows, length2d
from lanelet2.io import Origin
from lanelet2.projection import UtmProjector

from bevscope.l5kit.data import MapAPI

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("BEVSCOPE", ROOT / "build/release/bevscope"))
LINES = [("line_thin", one) for one in ("dashed", "solid", "dashed_solid", "solid_dashed")]
LINES += [
    ("line_thick", "dashed"),
    ("curbstone", "low"),
    ("virtual", ""),
    ("road_border", ""),
]
CHANGES = [{}, {}, {}, {"lane_change": "yes"}, {"lane_change": "no"}]
CHANGES += [{"lane_change:left": "yes", "lane_change:right": "no"}]
USES = [{}, {}, {}, {"subtype": "highway"}, {"subtype": "play_street"}]
USES += [{"subtype": "walkway"}, {"subtype": "bicycle_lane"}, {"subtype": "bus_lane"}]
USES += [{"participant:vehicle": "yes"}, {"participant:pedestrian": "yes"}]


class Osm:
    """The text of a map; nodes are some metres from an origin."""

    def __init__(self, origin):
        self.origin, self.text, self.ids = origin, [], 0

    def add(self, name, attributes, children, tags):
        self.ids += 1
        tags = [f'<tag k="{k}" v="{v}"/>' for k, v in tags.items() if v]
        content = "".join([*children, *tags])
        self.text.append(f'<{name} id="{self.ids}" {attributes}>{content}</{name}>')
        return self.ids

    def node(self, x, y):
        lat = self.origin[0] + y / 111_000
        lon = self.origin[1] + x / (111_000 * np.cos(np.radians(self.origin[0])))
        return self.add("node", f'lat="{lat:.11f}" lon="{lon:.11f}"', [], {})

    def way(self, nodes, tags):
        return self.add("way", "", [f'<nd ref="{one}"/>' for one in nodes], tags)

    def lanelet(self, left, right, tags):
        members = [
            f'<member type="way" ref="{ref}" role="{role}"/>'
            for ref, role in ((left, "left"), (right, "right"))
        ]
        return self.add("relation", "", members, {"type": "lanelet", **tags})


def made_up(seed):
    """Returns a map of roads with random bends, lines, directions and users."""
    rng = random.Random(seed)
    osm = Osm((rng.uniform(-50, 60), rng.uniform(-170, 170)))
    for road in range(4):
        ends, count = [], rng.randint(2, 4)
        heading, x, y = rng.uniform(-3, 3), 300 * road, 0.0
        for _ in range(4):
            lines = [[one] if one else [] for one in ends or [None] * (count + 1)]
            for point in range(rng.randint(2, 6)):
                heading += rng.uniform(-0.15, 0.15)
                x, y = x + 8 * np.cos(heading), y + 8 * np.sin(heading)
                for i, line in enumerate(lines):
                    if point == 0 and line:
                        continue
                    by = 3.5 * i
                    at = (x - by * np.sin(heading), y + by * np.cos(heading))
                    line.append(osm.node(*at))
            ends = [line[-1] for line in lines]
            ways = []
            for line in lines:
                kind, subtype = rng.choice(LINES)
                tags = {"type": kind, "subtype": subtype, **rng.choice(CHANGES)}
                ways.append(osm.way(line[:: rng.choice((1, -1))], tags))
            for right, left in zip(ways, ways[1:], strict=False):
                sides = (left, right) if rng.random() < 0.7 else (right, left)
                osm.lanelet(*sides, {"subtype": "road", **rng.choice(USES)})
    return f'<osm version="0.6">{"".join(osm.text)}</osm>', osm.origin


def converted(path, origin, tmp_path):
    """Converts a map with the program; returns its folder and the report."""
    out = tmp_path / "map"
    words = [PROGRAM, "convert", "lanelet2", path, "-o", out]
    words += [f"--origin={origin[0]!r},{origin[1]!r}"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return out, json.loads(done.stdout)


def lanelet_of(left, right):
    """Returns a lanelet between lines of positions."""
    sides = [
        LineString3d(getId(), [Point3d(getId(), *map(float, one)) for one in side])
        for side in (left, right)
    ]
    return Lanelet(getId(), *sides, AttributeMap())


def compare(path, origin, tmp_path):
    folder, report = converted(path, origin, tmp_path)
    meta = json.loads((folder / "meta.json").read_text())
    made = MapAPI(
        str(folder / "semantic_map/semantic_map.pb"), np.asarray(meta["world_to_ecef"])
    )
    expected = lanelet2.io.load(str(path), UtmProjector(Origin(*origin)))
    rules = lanelet2.traffic_rules.create(
        lanelet2.traffic_rules.Locations.Germany,
        lanelet2.traffic_rules.Participants.Vehicle,
    )
    graph = lanelet2.routing.RoutingGraph(expected, rules)
    passable = {str(one.id): one for one in expected.laneletLayer if rules.canPass(one)}
    lanes = {made.id_as_str(one.id): one for one in made.elements if made.is_lane(one)}
    free = {  # map schema: NO_RESTRICTION
        id for id, one in lanes.items() if one.element.lane.access_restriction.type == 1
    }
    assert free == set(passable)
    assert report["lanes"] == len(lanes)
    made_total = total = 0
    for id, wanted in passable.items():
        lane = lanes[id].element.lane
        coords = made.get_lane_coords(id)
        sides = coords["xyz_left"], coords["xyz_right"]
        for got, bound in zip(sides, (wanted.leftBound, wanted.rightBound), strict=True):
            want = np.array([(p.x, p.y, p.z) for p in bound])
            # In order, which is the direction; the map has centimetres.
            np.testing.assert_allclose(got, want, atol=0.006, rtol=0)
        made_total += length2d(lanelet_of(*sides))
        total += length2d(wanted)
        ahead = {made.id_as_str(one) for one in lane.lanes_ahead}
        # Without those that go against the direction of a lanelet of both.
        following = [passable[str(one.id)] for one in graph.following(wanted)]
        assert ahead == {str(one.id) for one in following if follows(wanted, one)}
        changes = [lane.adjacent_lane_change_left, lane.adjacent_lane_change_right]
        for got, want in zip(
            changes, (graph.left(wanted), graph.right(wanted)), strict=True
        ):
            assert made.id_as_str(got) == ("" if want is None else str(want.id)), id
    # Which points make a centre line depends on millimetres.
    assert made_total == pytest.approx(total, rel=1e-3)
    return len(passable), total


@pytest.mark.parametrize("seed", range(12))
def test_lanes_are_those_of_lanelet2(seed, tmp_path):
    text, origin = made_up(seed)
    path = tmp_path / "a.osm"
    path.write_text(text)
    count, total = compare(path, origin, tmp_path)
    assert count > 10
    assert total > 100


@pytest.mark.skipif("BEV_LANELET2" not in os.environ, reason="BEV_LANELET2 is not set")
def test_the_lanes_of_its_example_are_those_of_lanelet2(tmp_path):
    path = Path(os.environ["BEV_LANELET2"]) / "mapping_example.osm"
    count, _ = compare(path, (49.0, 8.4), tmp_path)
    assert count == 328
