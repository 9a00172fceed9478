"""Made-up files of INTERACTION."""

import csv
import random

HEADER = "track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy,psi_rad,length,width"


def _node(id, x, y):
    # Of the zone of latitude and longitude 0, within a millimetre.
    return f'<node id="{id}" lat="{y * 9.03483e-6:.12f}" lon="{x * 8.97435e-6:.12f}"/>'


def map_text(shift=0.0):
    """Returns a map of two lanes beside each other, LOCATION.osm."""
    nodes = [_node(1 + i, 50 * (i % 2), shift + 4 * (i // 2)) for i in range(6)]
    ways = [
        f'<way id="{10 + i}"><nd ref="{1 + 2 * i}"/><nd ref="{2 + 2 * i}"/>'
        '<tag k="type" v="line_thin"/><tag k="subtype" v="dashed"/></way>'
        for i in range(3)
    ]
    lanelets = [
        f'<relation id="{20 + i}"><member type="way" ref="{11 + i}" role="left"/>'
        f'<member type="way" ref="{10 + i}" role="right"/>'
        '<tag k="type" v="lanelet"/><tag k="subtype" v="road"/></relation>'
        for i in range(2)
    ]
    return f'<osm version="0.6">{"".join([*nodes, *ways, *lanelets])}</osm>'


def rows_of(seed, tracks=5, before=""):
    """Returns rows of random tracks; every third is of a pedestrian."""
    rng = random.Random(seed)
    out = []
    for track in range(1, tracks + 1):
        is_car = track % 3 != 0
        first, count = rng.randint(1, 5), rng.randint(2, 20)
        x, y, psi = rng.uniform(0, 50), rng.uniform(0, 8), rng.uniform(-3.1, 3.1)
        for frame in range(first, first + count):
            place = f"{x + frame * 0.5:.3f},{y:.3f},{rng.uniform(1, 9):.3f},1.25"
            box = f"{psi:.3f},{3 + track * 0.25:.2f},1.75" if is_car else ",,"
            kind = "car" if is_car else "pedestrian/bicycle"
            out.append(f"{before}{track},{frame},{frame}00,{kind},{place},{box}")
    return out


def write_all(folder):
    """Writes recordings and a file of the challenge, of two locations."""
    for name, shift in (("DR_A", 0), ("DR_B", 1)):
        (folder / "maps").mkdir(parents=True, exist_ok=True)
        (folder / f"maps/{name}.osm").write_text(map_text(shift))
    recorded = folder / "recorded_trackfiles/DR_A"
    recorded.mkdir(parents=True)
    (recorded / "vehicle_tracks_000.csv").write_text(
        "\n".join([HEADER, *rows_of(1)]) + "\n"
    )
    cases = [row for case in range(4) for row in rows_of(case, 4, f"{case + 1}.0,")]
    (folder / "val").mkdir()
    (folder / "val/DR_B_val.csv").write_text(
        "\n".join([f"case_id,{HEADER}", *cases]) + "\n"
    )


def scenes_of(folder):
    """Returns the rows of each scene, in order."""
    scenes = []
    for path in sorted(folder.rglob("*.csv")):
        by_case = {}
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                by_case.setdefault(row.get("case_id", ""), []).append(row)
        scenes += by_case.values()
    return scenes
