"""Trajectories that a vehicle with limited steering and acceleration can drive."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ..geometry import angular_distance

Values = npt.NDArray[Any]


def fit_ackerman_model_approximate(
    gx: Values,
    gy: Values,
    gr: Values,
    gv: Values,
    wx: Values,
    wy: Values,
    wr: Values,
    wv: Values,
    wgx: Values,
    wgy: Values,
    wgr: Values,
    wgv: Values,
) -> tuple[Values, Values, Values, Values]:
    """Returns positions x and y, headings and speeds near given ones (g*, weights wg*)
    that nearly follow x' = x + v cos r, y' = y + v sin r, r' = r, v' = v (weights w*)."""
    count = len(gx)
    weights = np.hstack([wgx, wgy, wgr, wgv, wx, wy, wr, wv])
    here = np.diag(np.append(np.ones(count - 1), 0))
    there = np.eye(count, k=1)
    none, one = np.zeros((count, count)), np.eye(count)

    def residuals(state: Values) -> Values:
        x, y, r, v = np.split(state, 4)
        nexts = [here @ x - there @ x, here @ y - there @ y]
        turns = np.append(angular_distance(r[:-1], r[1:]), 0)
        return weights * np.hstack(
            [
                x - gx,
                y - gy,
                angular_distance(r, gr),
                v - gv,
                nexts[0] + here @ (np.cos(r) * v),
                nexts[1] + here @ (np.sin(r) * v),
                turns,
                here @ v - there @ v,
            ]
        )

    def jacobian(state: Values) -> Values:
        _, _, r, v = np.split(state, 4)
        step = here - there
        return weights[:, None] * np.block(
            [
                [one, none, none, none],
                [none, one, none, none],
                [none, none, one, none],
                [none, none, none, one],
                [step, none, -here * (np.sin(r) * v), here * np.cos(r)],
                [none, step, here * (np.cos(r) * v), here * np.sin(r)],
                [none, none, step, none],
                [none, none, none, step],
            ]
        )

    state = np.hstack([gx, gy, gr, gv]).astype(np.float64)
    for _ in range(5):  # Gauss-Newton
        state -= np.linalg.lstsq(jacobian(state), residuals(state), rcond=None)[0]
    x, y, r, v = np.split(state, 4)
    return x, y, r, v


def fit_ackerman_model_exact(
    x0: Any,
    y0: Any,
    r0: Any,
    v0: Any,
    gx: Values,
    gy: Values,
    gr: Values,
    gv: Values,
    wgx: Values,
    wgy: Values,
    wgr: Values,
    wgv: Values,
    ws: float = 5.0,
    wa: float = 5.0,
    min_acc: float = -0.3,
    max_acc: float = 0.3,
    min_steer: float = -math.radians(45) * 0.1,
    max_steer: float = math.radians(45) * 0.1,
) -> tuple[Values, Values, Values, Values, Values, Values]:
    """Returns x, y, headings, speeds, accelerations and turns per step of the drive from
    a pose that stays near given ones (weights wg*) with little effort (ws, wa). Needs
    SciPy; AckermanPerturbation does not, because the core fits its trajectories."""
    from scipy.optimize import least_squares

    count = len(gx)

    def drive(controls: Values) -> tuple[Values, Values, Values, Values]:
        steer, acceleration = np.split(controls, 2)
        r = r0 + np.cumsum(steer)
        v = v0 + np.cumsum(acceleration)
        return x0 + np.cumsum(np.cos(r) * v), y0 + np.cumsum(np.sin(r) * v), r, v

    def residuals(controls: Values) -> Values:
        x, y, r, v = drive(controls)
        steer, acceleration = np.split(controls, 2)
        return np.hstack(
            [
                wgx * (x - gx),
                wgy * (y - gy),
                wgr * angular_distance(r, gr),
                wgv * (v - gv),
                ws * steer,
                wa * acceleration,
            ]
        )

    low = np.repeat([min_steer, min_acc], count)
    high = np.repeat([max_steer, max_acc], count)
    found = least_squares(residuals, np.zeros(2 * count), bounds=(low, high))
    steer, acceleration = np.split(found.x, 2)
    return (*drive(found.x), acceleration, steer)
