"""Quantities over time (docs/quantities.md) and facts (docs/scenarios.md)."""

from dataclasses import dataclass

import numpy as np
from road_map import inside

NAN = np.nan
EGO_SIZE = np.array([4.87, 1.85])
HALF_SECOND, MIN_SPAN, SECOND = 500_000_000, 0.3, 1_000_000_000


def unit(yaw):
    return np.stack([np.cos(yaw), np.sin(yaw)], axis=-1)


def left_of(vectors):
    return np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)


def dot(a, b):
    return (a * b).sum(axis=-1)


@dataclass
class Boxes:
    """Rectangles, one a row."""

    at: np.ndarray
    yaw: np.ndarray
    size: np.ndarray

    @property
    def axes(self):
        return unit(self.yaw), left_of(unit(self.yaw))

    def reach(self, axis):
        """Returns half of the extent along an axis."""
        u, v = self.axes
        length, width = self.size[:, 0] / 2, self.size[:, 1] / 2
        return np.abs(dot(u, axis)) * length + np.abs(dot(v, axis)) * width

    def corners(self):
        u, v = (a * s[:, None] / 2 for a, s in zip(self.axes, self.size.T))
        return [self.at + u + v, self.at - u + v, self.at - u - v, self.at + u - v]


def touch_time(a, b, velocity):
    """Returns the seconds until boxes touch as b moves, relative to a; NaN after 10 s."""
    first, last = np.zeros(len(velocity)), np.full(len(velocity), np.inf)
    for axis in (*a.axes, *b.axes):
        reach = a.reach(axis) + b.reach(axis)
        gap, speed = dot(b.at - a.at, axis), dot(velocity, axis)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.sort([(-reach - gap) / speed, (reach - gap) / speed], axis=0)
        still = np.where(np.abs(gap) <= reach, np.inf, NAN)
        ends = np.where(speed == 0, [-still, still], ends)
        first, last = np.maximum(first, ends[0]), np.minimum(last, ends[1])
    return np.where((first <= last) & (first <= 10), first, NAN)


def separation(a, b):
    """Returns the least distance of boxes."""

    def outside(box, points):
        far = [np.abs(dot(points - box.at, axis)) for axis in box.axes]
        return np.hypot(*(np.maximum(d - s / 2, 0) for d, s in zip(far, box.size.T)))

    gaps = [outside(b, p) for p in a.corners()] + [outside(a, p) for p in b.corners()]
    still = touch_time(a, b, np.zeros_like(a.at))
    return np.where(still == 0, 0, np.min(gaps, axis=0))


class Path:
    """The steps of a road user: frames in which it is seen."""

    def __init__(self, frame, time, at, yaw, size):
        self.frame, self.time, self.at, self.yaw = frame, time, at, yaw.astype(float)
        self.size = np.broadcast_to(size, (len(frame), 2)).astype(float)
        steps = np.diff(time)
        cut = (np.diff(frame) != 1) | (steps <= 0) | (steps > SECOND)
        self.run = np.concatenate([[0], np.cumsum(cut)])
        # Times that ascend over all runs, which are shorter than 1,000 s.
        key = time - time[np.searchsorted(self.run, self.run)] + self.run * 1000 * SECOND
        k = np.arange(len(frame))
        a = np.searchsorted(key, key - HALF_SECOND, "left")
        b = np.searchsorted(key, key + HALF_SECOND, "right") - 1
        self.velocity = self.mean(a, b)
        self.speed = np.hypot(*self.velocity.T)
        sides = [np.hypot(*self.mean(*ends).T) for ends in ((a, k), (k, b))]
        with np.errstate(divide="ignore", invalid="ignore"):
            self.acceleration = (sides[1] - sides[0]) / (self.seconds(a, b) / 2)
        change = np.diff(self.yaw, prepend=self.yaw[0])
        change = np.arctan2(np.sin(change), np.cos(change))
        still = ~(self.speed >= 0.5) | (np.abs(change) > np.radians(30))
        starts = np.concatenate([[True], cut])
        self.turned = np.cumsum(np.where(still | starts, 0, change))

    def seconds(self, a, b):
        return (self.time[b] - self.time[a]) * 1e-9

    def mean(self, a, b):
        """Returns mean velocities between steps; NaN if too short."""
        span = np.where(self.seconds(a, b) >= MIN_SPAN, self.seconds(a, b), NAN)
        return (self.at[b] - self.at[a]) / span[:, None]

    def boxes(self, k=slice(None)):
        return Boxes(self.at[k], self.yaw[k], self.size[k])

    def turn(self):
        """Returns the sharpest turn, and the frame in which it begins."""
        if np.isnan(self.speed).all():
            return "unknown", -1
        i, j = np.triu_indices(len(self.frame))
        kept = (self.run[i] == self.run[j]) & (self.seconds(i, j) <= 12)
        i, j = i[kept], j[kept]
        sums = self.turned[j] - self.turned[i]
        equal = np.flatnonzero(np.abs(sums) == np.abs(sums).max())
        best = min(equal, key=lambda n: (sums[n] < 0, j[n], -i[n]))
        degrees = np.degrees(sums[best])
        if abs(degrees) < 45:
            return "straight", -1
        side = "left" if degrees > 0 else "right"
        return "u turn" if abs(degrees) >= 150 else side, int(self.frame[i[best]])


def least(values, frame, greatest=False):
    """Returns the least known value and its first frame."""
    if np.isnan(values).all():
        return NAN, -1
    k = np.nanargmax(values) if greatest else np.nanargmin(values)
    return float(values[k]), int(frame[k])


def own_facts(path):
    known = path.speed[~np.isnan(path.speed)]
    brake = least(path.acceleration, path.frame)
    strong = least(path.acceleration, path.frame, True)
    turn, turn_frame = path.turn()
    return {
        "duration": path.seconds(0, -1),
        "mean_speed": known.mean() if len(known) else NAN,
        "max_speed": known.max() if len(known) else NAN,
        "hardest_brake": brake[0],
        "hardest_brake_frame": brake[1],
        "strongest_acceleration": strong[0],
        "strongest_acceleration_frame": strong[1],
        "heading_change": path.turned[-1],
        "turn": turn,
        "turn_frame": turn_frame,
        "stationary": (known < 0.5).mean() if len(known) else NAN,
    }


def times_to_collision(ego, track):
    """Returns frames with both, and the seconds until they touch."""
    frame, k, i = np.intersect1d(ego.frame, track.frame, return_indices=True)
    velocity = track.velocity[i] - ego.velocity[k]
    return frame, touch_time(ego.boxes(k), track.boxes(i), velocity)


def track_facts(ego, track):
    frame, seconds = times_to_collision(ego, track)
    _, k, i = np.intersect1d(ego.frame, track.frame, return_indices=True)
    closest = least(separation(ego.boxes(k), track.boxes(i)), frame)
    ttc = least(seconds, frame)
    return {
        **own_facts(track),
        "frames": len(track.frame),
        "first_frame": int(track.frame[0]),
        "closest_ego": closest[0],
        "closest_ego_frame": closest[1],
        "min_ttc": ttc[0],
        "min_ttc_frame": ttc[1],
    }


def light_fact(ego, road, active):
    """Returns the light as the first stop line is crossed, and the frame.

    active  ids of the active faces by frame
    """
    faced = {n for n, it in road.lanes.items() if any(f in road.faces for f in it.controls)}
    inner = {n for n, it in road.lanes.items() if it.parent in road.junctions}
    led_to = {n for name in faced for n in road.lanes[name].ahead}
    crossings = []
    for name, lane in road.lanes.items():
        last = name not in inner
        led = faced.difference(inner).intersection(lane.ahead) if last else name in led_to
        if led or name not in faced:
            continue
        (middle, along), on = lane.end(last), inside(lane.area, ego.at)
        beyond = dot(ego.at - middle, along) > 0
        leaves, enters = on[:-1] & ~on[1:] & beyond[1:], on[1:] & ~on[:-1] & ~beyond[:-1]
        turned = ego.yaw[1:] - np.arctan2(along[1], along[0])
        crossed = (leaves if last else enters) & (ego.run[1:] == ego.run[:-1])
        crossed &= np.cos(turned) >= 0.5
        if crossed.any():
            crossings.append((1 + crossed.argmax(), -on.sum(), name))
    if not crossings:
        return "none", -1
    first = min(crossings)[0]
    near = [it for it in crossings if ego.seconds(first, it[0]) <= 1]
    k, _, name = min(near, key=lambda it: (it[1], it[0]))
    colour = road.colour(set(active[ego.frame[k]]) & set(road.lanes[name].controls))
    return colour or "unknown", int(ego.frame[k])


def changes(values, time):
    """Returns changes per second between neighbours; an unknown one is replaced."""
    k = np.arange(len(values))
    before, after = np.maximum(k - 1, 0), np.minimum(k + 1, len(k) - 1)
    before = np.where(np.isnan(values[before]), k, before)
    after = np.where(np.isnan(values[after]), k, after)
    span = (time[after] - time[before]) * 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(span > 0, (values[after] - values[before]) / span, NAN)


def unwrapped(yaw):
    seen = ~np.isnan(yaw)
    out = np.full(len(yaw), NAN)
    out[seen] = np.unwrap(yaw[seen].astype(float))
    return out


def speeds(at, time):
    """Returns speeds from the previous position, or else the next; NaN if there is none."""
    step = np.hypot(*np.diff(at, axis=0).T)
    span = np.diff(time) * 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(span > 0, step / span, NAN)
    before, after = np.append(NAN, step), np.append(step, NAN)
    return np.where(np.isnan(before), after, before)


def lead_gap(boxes, others):
    """Returns the gap from each of `boxes` to the nearest of the boxes ahead of it.

    others  the boxes of the same frame, for each
    """
    gaps = np.full(len(others), NAN)
    for k, other in enumerate(others):
        if np.isnan(boxes.at[k, 0]) or len(other.at) == 0:
            continue
        ahead, side = unit(boxes.yaw[k]), left_of(unit(boxes.yaw[k]))
        x, y = (dot(other.at - boxes.at[k], axis) for axis in (ahead, side))
        length, width = boxes.size[k] / 2
        is_ahead = (x > 0) & (np.abs(y) < width + other.reach(side))
        gap = np.maximum(0, x - length - other.reach(ahead))[is_ahead]
        gap = gap[gap <= 100]
        gaps[k] = gap.min() if len(gap) else NAN
    return gaps
