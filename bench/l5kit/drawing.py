"""Compares bevscope's drawing calls with OpenCV's on the same points, alternating.

DRAW_BENCH names the program. The crop of an aerial image uses the same calls as L5Kit.
Pixels are compared first. Prints the minimum times of many short turns and their ratio,
because other load can double either side's time for seconds.
"""

import os
import pathlib
import sys
import tempfile
import time

import cv2
import numpy as np
from program import Program

SIDE = 224
PICTURE = 600
TURNS = 60
TIMES = 5
COLOUR = (17, 117, 231)
FLOOR = 1.0
SHIFT = {"lineType": cv2.LINE_AA, "shift": 9}


def q9(points):
    return (np.asarray(points) * 512).astype(np.int32)


def vehicles(random):
    """Returns boxes inside and outside the image."""
    at = random.uniform(-20, SIDE + 20, (40, 1, 2))
    turn = random.uniform(0, 2 * np.pi, 40)
    corners = np.array([[-4.8, -2], [-4.8, 2], [4.8, 2], [4.8, -2]])
    across = np.stack(
        [
            np.stack([np.cos(turn), np.sin(turn)], -1),
            np.stack([-np.sin(turn), np.cos(turn)], -1),
        ],
        1,
    )
    return q9(at + corners @ across)


def roads(random, sides):
    """Returns slightly bent lanes of 20 points per side, as one line or two."""
    along = np.linspace(0, 1, 20)
    out = []
    for _ in range(60):
        start, turn = random.uniform(-60, SIDE, 2), random.uniform(0, 2 * np.pi)
        ahead = np.array([np.cos(turn), np.sin(turn)])
        aside = np.array([-ahead[1], ahead[0]])
        bent = 8 * np.sin(3 * along)
        left, right = (
            start + np.outer(100 * along, ahead) + np.outer(bent + off, aside)
            for off in (0, 7)
        )
        out += [left, right] if sides else [np.concatenate([left, right[::-1]])]
    return q9(out)


def filled_each(image, polygons):
    for polygon in polygons:
        cv2.fillPoly(image, [polygon], COLOUR, **SHIFT)


def discs(image, points):
    for x, y in points.tolist():
        cv2.circle(image, (x, y), 3, COLOUR, -1)


def crop(image, picture):
    """As get_sat_image_crop_scaled: rotates a window, crops and resizes it."""
    side = round(SIDE * 0.5 / 0.47379)
    bigger = int(np.ceil(side * np.sqrt(2)))
    first = int(PICTURE / 2 - bigger // 2)
    window = picture[first : first + bigger, first : first + bigger]
    turn = cv2.getRotationMatrix2D((bigger / 2, bigger / 2), 33.0, 1)
    turned = cv2.warpAffine(window, turn, (bigger, bigger), flags=cv2.INTER_LINEAR)
    begin = int(bigger / 2 - side / 2)
    middle = turned[begin : begin + side, begin : begin + side]
    image[:] = cv2.resize(middle, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)


def resize(image, picture):
    cv2.resize(picture, (SIDE, SIDE), dst=image, interpolation=cv2.INTER_LINEAR)


def cases():
    random = np.random.default_rng(7)
    picture = random.integers(0, 256, (PICTURE, PICTURE, 3), np.uint8)
    lanes, sides = roads(random, False), list(roads(random, True))
    boxes = list(vehicles(random))
    yield (
        "40 boxes, one call",
        "boxes",
        np.array(boxes),
        lambda image: cv2.fillPoly(image, boxes, 255, **SHIFT),
    )
    yield "60 lanes filled", "lanes", lanes, lambda image: filled_each(image, lanes)
    yield (
        "120 boundaries",
        "lines",
        np.array(sides),
        lambda image: cv2.polylines(image, sides, False, COLOUR, **SHIFT),
    )
    yield (
        "120 closed lines",
        "outlines",
        np.array(sides),
        lambda image: cv2.polylines(image, sides, True, COLOUR, **SHIFT),
    )
    spots = random.integers(-3, SIDE + 3, (100, 2), np.int32)
    yield "100 discs", "discs", spots, lambda image: discs(image, spots)
    yield "resize 600 to 224", "resize", picture, lambda image: resize(image, picture)
    half = np.ascontiguousarray(picture[: 2 * SIDE, : 2 * SIDE])
    yield "resize 448 to 224", "resize", half, lambda image: resize(image, half)
    small = np.ascontiguousarray(picture[:150, :150])
    yield "resize 150 to 224", "resize", small, lambda image: resize(image, small)
    yield "aerial crop", "crop", picture, lambda image: crop(image, picture)


def blank(call):
    if call == "boxes":
        return np.zeros((SIDE, SIDE), np.uint8)
    return np.full((SIDE, SIDE, 3), 255, np.uint8)


def drawn(call, path):
    """Returns the program's image in OpenCV's layout."""
    data = np.fromfile(path, np.uint8)
    if call == "boxes":
        return data.reshape(3, SIDE, SIDE)[0]
    if call in ("resize", "crop"):
        return data.reshape(3, SIDE, SIDE).transpose(1, 2, 0)
    return data.reshape(SIDE, SIDE, 4)[:, :, :3]


def seconds_of(draw, image):
    start = time.process_time()
    for _ in range(TIMES):
        draw(image)
    return time.process_time() - start


class Case:
    """A drawing call on both sides, with the minimum times so far."""

    def __init__(self, case, folder):
        self.name, call, inputs, self._draw = case
        given, out = folder / f"{self.name}.in", folder / f"{self.name}.out"
        inputs.tofile(given)
        self._program = Program(os.environ["DRAW_BENCH"], call, SIDE, given, out)
        self._program.seconds("1")
        self._image = blank(call)
        self._draw(self._image)
        off = np.count_nonzero(drawn(call, out) != self._image)
        if off:
            sys.exit(f"{self.name}: {off} values are not OpenCV's")
        self._least = [np.inf, np.inf]

    def turn(self):
        took = seconds_of(self._draw, self._image), self._program.seconds(str(TIMES), 1)
        self._least = [min(pair) for pair in zip(self._least, took)]

    def report(self):
        self._program.close()
        theirs, ours = (least / TIMES * 1e6 for least in self._least)
        ratio = theirs / ours
        print(f"{self.name:28s} {theirs:9.1f} {ours:11.1f} {ratio:8.1f}x  floor 1x, aim 2x")
        return ratio >= FLOOR


def main():
    cv2.setNumThreads(1)
    print(f"{'':28s} {'OpenCV us':>9s} {'bevscope us':>11s} {'ratio':>9s}")
    with tempfile.TemporaryDirectory() as folder:
        all_cases = [Case(case, pathlib.Path(folder)) for case in cases()]
        for _ in range(TURNS):
            for case in all_cases:
                case.turn()
        met = [case.report() for case in all_cases]
    sys.exit(0 if all(met) else "below a floor")


if __name__ == "__main__":
    main()
