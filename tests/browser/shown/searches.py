"""Hits of filters of facts, as the search lists them."""

import numpy as np

UNITS = {"ttc": "s", "duration": "s", "speed": "m/s", "heading_change": "rad"}
UNITS |= {"brake": "m/s²", "acceleration": "m/s²", "closest": "m"}
NAMES = {"min_ttc": "time to collision"}

# Conditions that hold for every value; others are `not NAME < -1000`.
ALWAYS = {
    "turn": "turn in ('unknown', 'straight', 'left', 'right', 'u_turn')",
    "light": "light in ('unknown', 'none', 'red', 'yellow', 'green')",
    "label": "label != 'DONTCARE'",
}

EVERY = {
    "scenes": [
        ("ego_hardest_brake", "ego_strongest_acceleration", "ego_max_speed"),
        ("ego_mean_speed", "tracks"),
        ("turn", "duration", "heading_change", "stationary"),
        ("min_ttc", "closest_vehicle", "closest_cyclist", "closest_pedestrian"),
        ("vehicles", "cyclists", "pedestrians", "others"),
        ("light",),
    ],
    "tracks": [
        ("hardest_brake", "max_speed", "closest_ego", "label"),
        ("min_ttc", "mean_speed", "frames", "duration"),
        ("turn", "strongest_acceleration", "heading_change", "stationary"),
    ],
}

# The facts to display of a row, by filter; none if it does not pass.
PART = {
    "scenes": {
        "turn == 'left'": lambda row: ["turn"] * (row["turn"] == "left"),
        "light == 'red'": lambda row: ["light"] * (row["light"] == "red"),
        "(closest_pedestrian < 2 or closest_cyclist < 2)": lambda row: [
            name for name in ("closest_pedestrian", "closest_cyclist") if row[name] < 2
        ],
    },
    "tracks": {
        "min_ttc < 2": lambda row: ["min_ttc"] * (row["min_ttc"] < 2),
        "hardest_brake < -3": lambda row: ["hardest_brake"] * (row["hardest_brake"] < -3),
    },
}


def hit(facts, shown):
    """Returns the texts of a hit: its place and the displayed facts."""
    own = facts.get("track_id")
    places = [(facts.get(f"{n}_frame", -1), facts.get(f"{n}_track", own)) for n in shown]
    begin = 0 if own is None else facts["first_frame"]
    at = next((place for place in places if place[0] >= 0), (begin, own))
    who = "" if at[1] is None else f" · track {at[1]}"
    texts = [f"scene {facts['scene']} · frame {at[0]}{who}"]
    for name, (frame, track) in zip(shown, places):
        value, said = facts[name], NAMES.get(name, name.replace("_", " "))
        unit = next((f" {unit}" for part, unit in UNITS.items() if part in name), "")
        if isinstance(value, (int, str)):
            value = str(value)
        elif np.isnan(value):
            value, unit = "unknown", ""
        else:
            value = [value, 2 if abs(value) < 10 else 1]
        other = [f"track {track}"] if frame >= 0 and track not in (None, at[1]) else []
        other += [f"frame {frame}"] if frame >= 0 and frame != at[0] else []
        elsewhere = f" ({', '.join(other)})" if other else ""
        texts.append([f"{said} ", value, unit + elsewhere])
    return texts


def searches(scenes):
    """Returns filters of facts with their hits, in the order of scenes and tracks."""
    rows = {"scenes": [scene.facts[0] for scene in scenes]}
    rows["tracks"] = [track for scene in scenes for track in scene.facts[1]]
    found = []
    for table, all_shown in EVERY.items():
        for shown in all_shown:
            where = " and ".join(ALWAYS.get(name, f"not {name} < -1000") for name in shown)
            found.append([table, where, [hit(row, shown) for row in rows[table]]])
        for where, passes in PART[table].items():
            named = [(row, passes(row)) for row in rows[table]]
            found.append([table, where, [hit(row, shown) for row, shown in named if shown]])
    return found
