"""The records of a scene, and what the viewer displays of them.

A displayed text is a string, or a list of strings and numbers; a number is its value and
its digits after the point.
"""

from datetime import datetime, timezone
from functools import cached_property

import motion
import numpy as np
from motion import EGO_SIZE, NAN, Boxes
from motion import Path as Steps

KEPT = slice(3, 16)  # L5Kit's labels from car to animal
LETTERS = {"red": "R", "yellow": "Y", "green": "G"}
LAYERS = ("Vehicles", "Cyclists", "Pedestrians", "Other", "Filtered-out agents")
LAYERS += ("Lanes", "Crosswalks", "Traffic lights")


def class_of(label):
    bounds = ((3, 10, "vehicle"), (10, 14, "cyclist"), (14, 15, "pedestrian"))
    return next((name for a, b, name in bounds if a <= label < b), "other")


def words(name):
    """Returns a label's name as words: `Emergency vehicle`."""
    text = name.replace("PERCEPTION_LABEL_", "").replace("AVRESEARCH_LABEL_", "")
    return text.replace("_", " ").capitalize()


def number(value, digits, unknown="–"):
    """Returns a number as it is displayed: its value and its digits after the point."""
    return [value, digits] if np.isfinite(value) else unknown


def several(values, digits, between=", "):
    return [part for value in values for part in (between, number(value, digits))][1:]


def range_of(speed):
    least, greatest = number(np.nanmin(speed), 1), number(np.nanmax(speed), 1)
    return ["Speed over the scene ", least, " to ", greatest, " m/s"]


def clock(seconds):
    tenths = round(seconds * 10)
    return f"{tenths // 600:02}:{tenths // 10 % 60:02}.{tenths % 10}"


class Scene:
    """The records of a scene; `agents` of all frames, with the frame of each in `of`."""

    def __init__(self, group, index, road, labels):
        self.index, self.road, self.labels = index, road, labels
        self.info = group["scenes"][index]
        self.first, self.last = map(int, self.info["frame_index_interval"])
        self.frames = group["frames"][self.first : self.last]
        spans = self.frames["agent_index_interval"]
        self.row = int(spans[0, 0])
        self.agents = group["agents"][self.row : int(spans[-1, 1])]
        self.begin, self.end = (spans - self.row).T
        self.of = np.repeat(np.arange(len(spans)), self.end - self.begin)
        self.time = self.frames["timestamp"]
        self.seconds = (self.time - self.time[0]) * 1e-9
        self.ego = self.frames["ego_translation"][:, :2]
        turned = self.frames["ego_rotation"]
        self.ego_yaw = np.arctan2(turned[:, 1, 0], turned[:, 0, 0])
        faces = self.frames["traffic_light_faces_index_interval"]
        self.faces = [group["traffic_light_faces"][a:b] for a, b in faces]
        probabilities = self.agents["label_probabilities"]
        self.label = probabilities.argmax(axis=1)
        self.known = probabilities[:, KEPT].sum(axis=1)
        self.kept = self.known > 0.5

    @cached_property
    def tracks(self):
        """Rows of each track, the first of each frame."""
        found = {}
        for track in np.unique(self.agents["track_id"]):
            rows = np.flatnonzero(self.agents["track_id"] == track)
            found[int(track)] = rows[np.unique(self.of[rows], return_index=True)[1]]
        return found

    @cached_property
    def speed(self):
        """Speeds of all rows."""
        found = np.full(len(self.agents), NAN)
        for track, rows in self.tracks.items():
            found[rows] = motion.speeds(self.positions(track), self.time)[self.of[rows]]
        return found

    def positions(self, track):
        at = np.full((len(self.time), 2), NAN)
        at[self.of[self.tracks[track]]] = self.agents["centroid"][self.tracks[track]]
        return at

    def distance(self, rows):
        return np.hypot(*(self.agents["centroid"][rows] - self.ego[self.of[rows]]).T)

    def path(self, track=None):
        """Returns the steps of the ego vehicle, or the rows of a track that are kept."""
        if track is None:
            frame = np.arange(len(self.time))
            return Steps(frame, self.time, self.ego, self.ego_yaw, EGO_SIZE)
        rows = self.tracks[track][self.kept[self.tracks[track]]]
        if len(rows) == 0:
            return None
        frame, (at, yaw, size) = self.of[rows], self.poses(rows)
        return Steps(frame, self.time[frame], at, yaw, size)

    def poses(self, rows):
        of = self.agents[rows]
        return of["centroid"], of["yaw"].astype(float), of["extent"][:, :2].astype(float)

    def lights(self, frame):
        """Returns letter, id and number of faces of each light."""
        by_light = {}
        for face in self.faces[frame]:
            state = int(face["traffic_light_face_status"].argmax())
            by_light.setdefault(str(face["traffic_light_id"]), []).append(
                (str(face["face_id"]), state)
            )
        found = []
        for light, faces in sorted(by_light.items()):
            states = {state for _, state in faces}
            active = self.road.colour(face for face, state in faces if state == 0)
            letter = LETTERS.get(active, "A") if 0 in states else "–?"[2 in states]
            found.append(f"{letter} {light} {len({face for face, _ in faces})} faces")
        return found

    def active_faces(self, frame):
        faces = self.faces[frame]
        on = faces["traffic_light_face_status"].argmax(axis=1) == 0
        return [str(face) for face in faces["face_id"][on]]

    def frame(self, k, tracks):
        """Returns the texts of a frame's panels, and of the cards of `tracks`."""
        rows = np.arange(self.begin[k], self.end[k])
        kept = rows[self.kept[rows]]
        classes = [class_of(self.label[row]) for row in kept]
        counts = {name: classes.count(name[:-1].lower()) for name in LAYERS[:3]}
        counts |= {"Other": classes.count("other"), "Lanes": len(self.road.lanes)}
        counts |= {"Crosswalks": self.road.crosswalks}
        counts |= {"Traffic lights": len(self.lights(k))}
        counts |= {"Filtered-out agents": len(rows) - len(kept)}
        start = datetime.fromtimestamp(int(self.info["start_time"]) // 10**9, timezone.utc)
        whole = f"frame {k} of 0–{len(self.time) - 1}"
        return {
            "kept": [f"{len(kept)} of {len(rows)} agents in this frame"],
            "tab": [f"{len(kept)} in this frame"],
            "layers": [f"{name} {counts[name]}" for name in LAYERS],
            "agents": [self.agent(row) for row in kept[np.argsort(self.distance(kept))]],
            "lights": self.lights(k),
            "time": [f"{clock(self.seconds[k])} / {clock(self.seconds[-1])}", whole],
            "scene": [f"{self.info['host']} · {start:%Y-%m-%d %H:%M}"],
            "ego": self.ego_card(k),
            "tracks": {track: self.card(track, k) for track in tracks},
        }

    def ego_card(self, k):
        of, speed = self.frames[k], motion.speeds(self.ego, self.time)
        matrix = enumerate(of["ego_rotation"])
        return [
            ["Speed (derived) ", number(speed[k], 2), " m/s"],
            ["Heading ", number(np.degrees(self.ego_yaw[k]), 1), "°"],
            ["ego_translation ", *several(of["ego_translation"], 2)],
            f"timestamp {self.time[k]}",
            f"frame row {self.first + k}",
            *([f"row {i} ", *several(row, 4)] for i, row in matrix),
            range_of(speed),
        ]

    def agent(self, row):
        """Returns a row of the table of agents."""
        name, track = words(self.labels[self.label[row]]), self.agents["track_id"][row]
        values = [(self.speed[row], 1), (self.distance([row])[0], 1), (self.known[row], 2)]
        return [f"{name} {track}", *(part for it in values for part in (" ", number(*it)))]

    def card(self, track, k):
        """Returns the texts of the selected track, probabilities included."""
        rows = self.tracks[track]
        (row,) = rows[self.of[rows] == k]
        of, seen, speed = self.agents[row], self.of[rows], self.speed[rows]
        span = seen[-1] - seen[0] + 1
        gaps = f"{len(seen)}" if len(seen) == span else f"{len(seen)} of {span}"
        before, after = (seen >= k - 10) & (seen < k), (seen > k) & (seen <= k + 50)
        labels = [(words(n), p) for n, p in zip(self.labels, of["label_probabilities"])]
        return [
            ["Speed (derived) ", number(self.speed[row], 2), " m/s"],
            ["Heading ", number(np.degrees(of["yaw"]), 1), "°"],
            ["Extent ", *several(of["extent"], 2, " × "), " m"],
            ["Distance to ego ", number(self.distance([row])[0], 1), " m"],
            ["Centroid ", *several(of["centroid"], 1)],
            f"Visible in frames {seen[0]}–{seen[-1]} ({gaps})",
            *([f"{name} ", number(share, 4)] for name, share in labels),
            f"row {self.row + row}",
            f"track_id {track}",
            ["centroid ", *several(of["centroid"], 3)],
            ["extent ", *several(of["extent"], 3)],
            ["yaw ", number(of["yaw"], 4)],
            ["velocity ", *several(of["velocity"], 3)],
            range_of(speed),
            f"{before.sum()}/10 before · {after.sum()}/50 after",
            ["Certainty ", number(self.known[row], 2)],
        ]

    def table(self, track=None):
        """Returns the exported rows: of all, or of one track."""
        speed = motion.speeds(self.ego, self.time)
        out = []
        for k, time in enumerate(self.time):
            place = [self.index, k, str(time)]
            if track is None:
                at = [*self.ego[k], self.ego_yaw[k], None, None, speed[k]]
                out.append([*place, "ego", *at, *[None] * 6])
            for row in range(self.begin[k], self.end[k]):
                of, label = self.agents[row], self.label[row]
                if track is None or of["track_id"] == track:
                    at = [*of["centroid"], of["yaw"], *of["velocity"], self.speed[row]]
                    name = [words(self.labels[label]), of["label_probabilities"][label]]
                    who = str(int(of["track_id"]))
                    out.append([*place, who, *at, *of["extent"], *name, self.known[row]])
        return out

    def plots(self, track=None):
        """Returns quantities of the ego vehicle or of a track, one value per frame."""
        n, ego = len(self.time), self.path()
        at, yaw, size = self.ego, self.ego_yaw, np.tile(EGO_SIZE, (n, 1))
        others = [np.arange(a, b) for a, b in zip(self.begin, self.end)]
        others = [rows[self.kept[rows]] for rows in others]
        if track is not None:
            rows = self.tracks[track]
            at, yaw = self.positions(track), np.full(n, NAN)
            yaw[self.of[rows]] = self.agents["yaw"][rows]
            size[self.of[rows]] = self.agents["extent"][rows, :2]
            others = [rows[self.agents["track_id"][rows] != track] for rows in others]
        other = [Boxes(*self.poses(rows)) for rows in others]
        if track is not None:
            own = [ego.boxes([k]) for k in range(n)]
            other = [
                Boxes(*(np.concatenate([getattr(b, f), getattr(e, f)]) for f in vars(b)))
                for b, e in zip(other, own)
            ]
        paths = [self.path(one) for one in ([track] if track is not None else self.tracks)]
        collision = np.full(n, np.inf)
        for path in filter(None, paths):
            frame, seconds = motion.times_to_collision(ego, path)
            collision[frame] = np.fmin(collision[frame], seconds)
        speed = motion.speeds(at, self.time)
        acceleration, angle = motion.changes(speed, self.time), motion.unwrapped(yaw)
        turning = motion.changes(angle, self.time)
        with np.errstate(divide="ignore", invalid="ignore"):
            curvature = np.where(speed >= 1, turning / speed, NAN)
        found = {
            "speed": speed,
            "acceleration": acceleration,
            "jerk": motion.changes(acceleration, self.time),
            "yaw": np.degrees(angle),
            "yaw_rate": np.degrees(turning),
            "curvature": curvature,
            "lead_gap": motion.lead_gap(Boxes(at, yaw, size), other),
            "time_to_collision": np.where(np.isinf(collision), NAN, collision),
            "x": at[:, 0],
            "y": at[:, 1],
        }
        if track is not None:
            stored = np.full((n, 2), NAN)
            stored[self.of[rows]] = self.agents["velocity"][rows]
            found["ego_distance"] = np.hypot(*(at - self.ego).T)
            found["agents.velocity.0"], found["agents.velocity.1"] = stored.T
        else:
            found["frames.ego_translation.2"] = self.frames["ego_translation"][:, 2]
        return found

    @cached_property
    def facts(self):
        """Returns the facts of the scene and of its tracks."""
        ego, tracks = self.path(), []
        for track in self.tracks:
            path = self.path(track)
            if path is None:
                continue
            rows = self.tracks[track][self.kept[self.tracks[track]]]
            shares = self.agents["label_probabilities"][rows].astype(float)
            label = shares.sum(axis=0).argmax()
            whose = {"track_id": track, "label": words(self.labels[label])}
            whose["class"] = class_of(label)
            tracks.append({"scene": self.index, **whose, **motion.track_facts(ego, path)})
        active = [self.active_faces(k) for k in range(len(self.time))]
        light, light_frame = motion.light_fact(ego, self.road, active)
        own = motion.own_facts(ego)
        named = ("mean_speed", "max_speed", "hardest_brake", "hardest_brake_frame")
        named += ("strongest_acceleration", "strongest_acceleration_frame")
        facts = {f"ego_{key}" if key in named else key: value for key, value in own.items()}
        facts |= {"scene": self.index, "tracks": len(tracks), "light": light}
        facts |= {"light_frame": light_frame}
        kinds = ("vehicle", "cyclist", "pedestrian")
        least = [(f"closest_{kind}", kind, "closest_ego") for kind in kinds]
        for fact, kind, of in [*least, ("min_ttc", None, "min_ttc")]:
            known = [t for t in tracks if kind in (None, t["class"]) and t[of] == t[of]]
            best = min(known, key=lambda t: t[of], default={})
            place = {"_frame": best.get(f"{of}_frame", -1), "_track": best.get("track_id")}
            facts |= {fact: best.get(of, NAN)} | {fact + k: v for k, v in place.items()}
        for kind in (*kinds, "other"):
            facts[kind + "s"] = sum(t["class"] == kind for t in tracks)
        return facts, tracks

    def rollout(self, count, drift):
        """Returns a rollout whose ego vehicle moves away by `drift` metres a frame."""
        off = drift * np.arange(count)
        moved = self.ego[:count] + np.stack([off, 0 * off], axis=1)
        ego = {"x": moved[:, 0], "y": moved[:, 1], "yaw": self.ego_yaw[:count]}
        both = (moved, self.ego[:count])
        driven = [np.hypot(*np.diff(at, axis=0).T).sum() for at in both]
        words = ["Driven ", [driven[0], 1], " m, recorded ", [driven[1], 1], " m."]
        rows = [["Displacement m ", [off.mean(), 2], " ", [off[-1], 2]]]
        rows += [["Yaw error ° ", [0.0, 2], " ", [0.0, 2]]]
        return {"ego": ego, "texts": [*rows, words]}
