"""Made-up scenarios of CommonRoad: the elements of its files, with content of our own."""

import math

STEPS = 12
#: Phases of the light, from step 3 on.
CYCLE = (("red", 4), ("redYellow", 1), ("green", 3), ("yellow", 2), ("inactive", 1))
OFFSET = 3


def tag(name, *content, **attributes):
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(map(str, content))}</{name}>\n"


def exact(name, value):
    return tag(name, tag("exact", value))


def point(x, y):
    return tag("point", tag("x", x), tag("y", y))


def state(name, step, x, y, heading, velocity):
    return tag(
        name,
        tag("position", point(x, y)),
        exact("orientation", heading),
        exact("time", step),
        exact("velocity", velocity),
    )


def obstacle(old, number, kind, size, at, steps=STEPS):
    """An obstacle with a state per step; a static one has `steps` 1."""
    role = "static" if steps == 1 else "dynamic"
    later = "".join(state("state", i, *at(i)) for i in range(1, steps))
    return tag(
        "obstacle" if old else f"{role}Obstacle",
        tag("role", role) if old else "",
        tag("type", kind),
        tag("shape", tag("rectangle", tag("length", size[0]), tag("width", size[1]))),
        state("initialState", 0, *at(0)),
        tag("trajectory", later) if later else "",
        id=number,
    )


def bend(radius):
    """A quarter of a circle about 0, 50, counter-clockwise."""
    angles = [math.pi / 2 * i / 8 - math.pi / 2 for i in range(9)]
    return [(radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]


def lanelet(number, left, right, *more, markings=("dashed", "solid"), old=False):
    bounds = [
        tag(
            name,
            *(point(*p) for p in points),
            "" if old else tag("lineMarking", marking),
        )
        for name, points, marking in zip(
            ("leftBound", "rightBound"), (left, right), markings, strict=True
        )
    ]
    return tag("lanelet", *bounds, *more, id=number)


def scenario(name="ZAM_Made-1_1_T-1", version="2020a", x=0.0):
    """Three lanelets along a bend, a crosswalk, a light, three obstacles and a problem."""
    old = version == "2018b"

    def kind(one):
        return "" if old else tag("laneletType", one)

    light = "" if old else tag("trafficLightRef", ref=501)
    lanelets = [
        lanelet(
            1,
            bend(46.5),
            bend(50),
            tag("successor", ref=3),
            tag("adjacentLeft", ref=2, drivingDir="same"),
            kind("urban"),
            light,
            old=old,
        ),
        lanelet(
            2,
            bend(43),
            bend(46.5),
            tag("adjacentRight", ref=1, drivingDir="same"),
            kind("busLane"),
            markings=("broad_solid", "dashed"),
            old=old,
        ),
        lanelet(3, [(46.5, 50), (46.5, 90)], [(50, 50), (50, 90)], kind("urban"), old=old),
    ]
    if not old:
        lanelets.append(
            lanelet(4, [(40, 60), (52, 60)], [(40, 57), (52, 57)], kind("crosswalk"))
        )
    cycle = [tag("cycleElement", tag("duration", n), tag("color", c)) for c, n in CYCLE]
    lights = tag(
        "trafficLight",
        tag("cycle", *cycle, tag("timeOffset", OFFSET)),
        tag("position", point(51, 50)),
        tag("direction", "all"),
        tag("active", "true"),
        id=501,
    )
    obstacles = [
        obstacle(
            old, 11, "car", (4.5, 1.9), lambda i: (x + 5 + i, 1.25 + 0.1 * i, 0.1, 10.05)
        ),
        obstacle(old, 12, "bicycle", (1.9, 0.7), lambda i: (x - i / 2, 5, -3.1793, 5), 6),
        obstacle(old, 13, "parkedVehicle", (4, 2), lambda _: (x + 20, 8, 0.5, 0.0), 1),
    ]
    start = state("initialState", 0, x + 1, 2, 0.25, 7.5).replace(
        "</initialState>", exact("yawRate", 0) + exact("slipAngle", 0) + "</initialState>"
    )
    goal = tag("goalState", tag("time", tag("intervalStart", 9), tag("intervalEnd", 12)))
    location = tag(
        "location", tag("geoNameId", 1), tag("gpsLatitude", 48), tag("gpsLongitude", 11)
    )
    return '<?xml version="1.0"?>\n' + tag(
        "commonRoad",
        *("" if old else (location, tag("scenarioTags", "<urban/>"))),
        *lanelets,
        "" if old else lights,
        *obstacles,
        tag("planningProblem", start, goal, id=900),
        commonRoadVersion=version,
        benchmarkID=name,
        author="nobody",
        affiliation="nowhere",
        source="made up",
        date="2026-01-01",
        timeStepSize=0.1,
        **({"tags": "urban"} if old else {}),
    )


def write(path, *arguments, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(scenario(*arguments, **options))
    return path
