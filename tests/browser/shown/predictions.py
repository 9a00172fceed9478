"""Predictions of two models, and L5Kit's metrics of them over the recorded steps."""

import numpy as np

STEPS, SHARES = 50, np.array([0.5, 0.3, 0.2])
MODE_SPEEDS = np.array([1, 0.8, 0])


def forecasts(velocity, drift):
    """Returns offsets (modes, steps, 2), rounded as in the file."""
    times = 0.1 * np.arange(1, STEPS + 1)
    out = MODE_SPEEDS[:, None, None] * times[:, None] * velocity.astype(float)
    out[..., 0] += drift * times
    return out.round(5)


def scores(coords, truth):
    """Returns ADE and FDE of the best mode, and NLL; NaN without a recorded end."""
    if np.isnan(truth[-1, 0]):
        return np.full(3, np.nan)
    off = coords - truth
    far = np.hypot(off[..., 0], off[..., 1])
    squares = np.nansum(off**2, axis=(1, 2))
    likelihood = np.log((SHARES * np.exp((squares.min() - squares) / 2)).sum())
    best = [np.nanmean(far, axis=1).min(), far[:, -1].min()]
    return np.array([*best, squares.min() / 2 - likelihood])


def signed(value, digits=2):
    return ["+" if value > 0 else "", [value, digits]]


def compared(scene, frames):
    """Returns the files of both models, and the texts of their comparison."""
    head = ["timestamp", "track_id", *(f"conf_{m}" for m in range(len(SHARES)))]
    axes = [(m, k) for m in range(len(SHARES)) for k in range(STEPS)]
    head += [f"coord_{axis}{m}{k}" for m, k in axes for axis in "xy"]
    files, lines = ([",".join(head)], [",".join(head)]), []
    for frame in frames:
        for row in range(scene.begin[frame], scene.end[frame]):
            if not scene.kept[row]:
                continue
            agent = scene.agents[row]
            track = int(agent["track_id"])
            at = scene.positions(track)[frame + 1 : frame + 1 + STEPS] - agent["centroid"]
            truth = np.full((STEPS, 2), np.nan)
            truth[: len(at)] = at
            both = [forecasts(agent["velocity"], drift) for drift in (0, track % 7 / 5)]
            for file, coords in zip(files, both):
                values = [f"{value:.5f}" for value in (*SHARES, *coords.ravel())]
                file.append(",".join([str(scene.time[frame]), str(track), *values]))
            seen = int((~np.isnan(truth[:, 0])).sum())
            lines.append((track, frame, *(scores(coords, truth) for coords in both), seen))
    known = [line for line in lines if not np.isnan(line[2][0])]
    known.sort(key=lambda line: line[2][0] - line[3][0])
    listed = [
        [f"{track} {frame} ", [a[0], 2], " ", [b[0], 2], " ", *signed(b[0] - a[0])]
        + [f" {seen}/{STEPS}"]
        for track, frame, a, b, seen in known
    ]
    ends = [np.array([line[2 + i] for line in known]) for i in range(2)]
    means = np.array([values.mean(axis=0) for values in ends])
    missed = [100 * (values[:, 1] > 2).mean() for values in ends]
    table = [
        [f"{name} ", [a, 2], " ", [b, 2], " ", *signed(b - a)]
        for name, a, b in zip(("ADE m", "FDE m", "NLL"), *means)
    ]
    a, b = missed
    table.append(["Miss % ", [a, 1], " ", [b, 1], " ", *signed(b - a, 1)])
    table.append(f"Compared {len(known)} {len(known)} 0")
    begun = sum(seen > 0 for *_, seen in lines)
    said = [f"{len(known)} of {begun} pairs end inside the scene"]
    texts = ["\r\n".join([*file, ""]) for file in files]
    return {"files": texts, "list": listed, "table": table, "said": said}
