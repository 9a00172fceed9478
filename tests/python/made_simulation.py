"""Logs of nuPlan's simulations, made of classes with the names and members of the devkit's
that are gone after writing; and NumPy's version of the measures."""

import lzma
import pickle
import sys
import types
from pathlib import PurePosixPath

import numpy as np

MODULE = "nuplan_made"
NAMES = (
    "SimulationLog SimulationHistory SimulationHistorySample EgoState CarFootprint "
    "DynamicCarState DetectionsTracks TrackedObjects Agent StaticObject OrientedBox "
    "SceneObjectMetadata TrafficLightStatusData Planner"
)
SLOTS = {"StateSE2": "x y heading", "TimePoint": "time_us", "StateVector2D": "_x _y _array"}
CALLED = ("VehicleParameters", "InterpolatedTrajectory", "TrackedObjectType", "Status")


def _made():
    """Returns a namespace with the classes, whose module is in sys.modules."""
    module = types.ModuleType(MODULE)
    for name in NAMES.split():
        setattr(module, name, type(name, (), {"__module__": MODULE}))
    for name, slots in SLOTS.items():
        members = {"__module__": MODULE, "__slots__": tuple(slots.split())}
        setattr(module, name, type(name, (), members))
    for name in CALLED:
        reduce = lambda self: (type(self), self.arguments)  # noqa: E731
        init = lambda self, *arguments: setattr(self, "arguments", arguments)  # noqa: E731
        members = {"__module__": MODULE, "__reduce__": reduce, "__init__": init}
        setattr(module, name, type(name, (), members))
    sys.modules[MODULE] = module
    return module


def _set(made, **members):
    for name, value in members.items():
        setattr(made, name, value)
    return made


def log_bytes(frames, planner=None, msgpack=False):
    """Pickles frames: dicts of time_us, ego (x, y, heading), motion (6), boxes (of track,
    type, x, y, heading, length, width, vx, vy; vx None: static), plan (time, x, y, h)."""
    m = _made()
    try:
        data = pickle.dumps(_log(m, frames, planner), protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        del sys.modules[MODULE]
    if msgpack:
        data = b"\xc6" + len(data).to_bytes(4, "big") + data
    return lzma.compress(data, preset=0)


def _log(m, frames, planner):
    vehicle = m.VehicleParameters(
        2.297, 4.049, 1.127, 1.67, 3.089, "pacifica", "gen1", 1.777
    )

    def pose(x, y, heading):
        return _set(m.StateSE2(), x=np.float64(x), y=y, heading=heading)

    def vector(x, y):
        return _set(m.StateVector2D(), _x=x, _y=y, _array=np.array([x, y]))

    def ego(time_us, centre, motion=(0,) * 6):
        state = _set(
            m.DynamicCarState(),
            _rear_axle_to_center_dist=1.461,
            _rear_axle_velocity_2d=vector(*motion[:2]),
            _rear_axle_acceleration_2d=vector(*motion[2:4]),
            _angular_velocity=motion[4],
            _angular_acceleration=np.float64(motion[5]),
        )
        footprint = _set(
            m.CarFootprint(), _center=pose(*centre), _length=5.176, _width=2.297
        )
        footprint._vehicle_parameters = vehicle
        time = _set(m.TimePoint(), time_us=time_us)
        return _set(
            m.EgoState(),
            _car_footprint=footprint,
            _dynamic_car_state=state,
            _time_point=time,
        )

    def box(track, kind, x, y, heading, length, width, vx, vy=0):
        made = m.StaticObject() if vx is None else m.Agent()
        shape = _set(
            m.OrientedBox(), _center=pose(x, y, heading), _length=length, _width=width
        )
        metadata = _set(m.SceneObjectMetadata(), track_token=track, token=f"t{track}")
        _set(made, _metadata=metadata, _tracked_object_type=m.TrackedObjectType(kind))
        return _set(
            made, _box=shape, **({} if vx is None else {"_velocity": vector(vx, vy)})
        )

    def sample(frame):
        objects = _set(
            m.TrackedObjects(), tracked_objects=[box(*one) for one in frame["boxes"]]
        )
        plan = [ego(time, centre) for time, *centre in frame.get("plan", [])]
        light = _set(m.TrafficLightStatusData(), status=m.Status(0), lane_connector_id=5)
        return _set(
            m.SimulationHistorySample(),
            ego_state=ego(frame["time_us"], frame["ego"], frame["motion"]),
            trajectory=m.InterpolatedTrajectory(plan),
            observation=_set(m.DetectionsTracks(), tracked_objects=objects),
            traffic_light_status=[light],
        )

    history = _set(m.SimulationHistory(), data=[sample(one) for one in frames])
    path = PurePosixPath("/out/simulation_log/idm/following/log1/ab12/ab12.pkl.xz")
    return _set(
        m.SimulationLog(), file_path=path, planner=planner, simulation_history=history
    )


def savgol(values, window, degree, derivative=0, interval=1.0):
    """SciPy's savgol_filter with mode "interp", by numpy.polyfit."""
    count = len(values)
    window = min(window, count)
    half, middle = window // 2, (window - 1) / 2
    out = np.empty(count)
    for i in range(count):
        begin = min(max(i - half + 1 - window % 2, 0), count - window)
        at = middle
        if i < half:
            begin, at = 0, i
        elif i >= count - half:
            begin, at = count - window, i - (count - window)
        fit = np.polynomial.Polynomial.fit(
            np.arange(window), values[begin : begin + window], degree
        )
        out[i] = (fit.deriv(derivative) if derivative else fit)(at)
    return np.round(out / interval**derivative, 8)


def comfort(frames, ahead=1.461):
    """Returns the six quantities of nuPlan's ego_is_comfortable."""
    motion = np.array([one["motion"] for one in frames], dtype=np.float64)
    times = np.array([one["time_us"] for one in frames]) / 1e6
    step = np.diff(times).mean()
    ax, ay, rate, acceleration = motion[:, 2], motion[:, 3], motion[:, 4], motion[:, 5]
    lon = savgol(ax + ahead * rate**2 + ahead * acceleration, 8, 2)
    magnitude = savgol(np.hypot(ax, ay), 8, 2)
    heading = np.unwrap([one["ego"][2] for one in frames])
    return np.stack(
        [
            lon,
            savgol(ay, 8, 2),
            savgol(lon, 15, 2, 1, step),
            savgol(magnitude, 15, 2, 1, step),
            savgol(heading, 5, 2, 1, step),
            savgol(heading, 5, 3, 2, step),
        ]
    )


def _corners(x, y, heading, length, width):
    turn = np.array(
        [[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]]
    )
    half = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * [length / 2, width / 2]
    return half @ turn.T + [x, y]


def touch(a, b):
    """Whether two convex polygons touch, by separating axes."""
    for one in (a, b):
        for edge in np.roll(one, -1, axis=0) - one:
            axis = np.array([-edge[1], edge[0]])
            pa, pb = a @ axis, b @ axis
            if pa.max() < pb.min() or pb.max() < pa.min():
                return False
    return True


def times_to_collision(frames, ahead=1.461):
    """Returns nuPlan's times with road users ahead, without collisions."""
    out = np.full(len(frames), np.inf)
    for i, frame in enumerate(frames):
        x, y, heading = frame["ego"]
        speed = np.hypot(*frame["motion"][:2])
        forward = np.array([np.cos(heading), np.sin(heading)])
        rear = np.array([x, y]) - ahead * forward
        for _, _, bx, by, bh, length, width, vx, *vy in frame["boxes"]:
            to = np.array([bx, by]) - rear
            if np.arccos(forward @ to / np.linalg.norm(to)) >= np.deg2rad(30):
                continue
            own = 0 if vx is None else np.hypot(vx, *vy)
            for k in range(1, 30):
                d = 0.1 * k
                me = _corners(
                    *(np.array([x, y]) + d * speed * forward), heading, 5.176, 2.297
                )
                it = np.array([bx, by]) + d * own * np.array([np.cos(bh), np.sin(bh)])
                if touch(me, _corners(*it, bh, length, width)):
                    out[i] = min(out[i], d)
                    break
    return out
