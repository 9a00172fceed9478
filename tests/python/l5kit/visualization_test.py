"""bevscope.l5kit.visualization."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

cv2 = pytest.importorskip("cv2")

from bevscope.l5kit.visualization import (  # noqa: E402
    PREDICTED_POINTS_COLOR,
    REFERENCE_TRAJ_COLOR,
    draw_reference_trajectory,
    draw_trajectory,
    write_gif,
    write_video,
)

HERE = Path(__file__).resolve().parent


def blank():
    return np.zeros((60, 100, 3), np.uint8)


def test_positions_are_drawn_as_discs_at_truncated_pixels():
    image = blank()
    draw_trajectory(image, np.array([[10.9, 20.9], [70.0, 5.0]]), PREDICTED_POINTS_COLOR)
    assert image[20, 10].tolist() == image[5, 70].tolist() == [0, 255, 255]
    assert np.count_nonzero(image.any(axis=2)) == 2 * 5


def test_yaws_are_drawn_as_arrows():
    image = blank()
    positions = np.array([[10, 20], [50, 20]])
    draw_trajectory(image, positions, (255, 0, 0), yaws=np.array([[0.0], [np.pi]]))
    assert image[20, 10:13].tolist() == [[255, 0, 0]] * 3
    assert image[20, 48:51].tolist() == [[255, 0, 0]] * 3
    with pytest.raises(AssertionError, match="yaws"):
        draw_trajectory(image, positions, (255, 0, 0), yaws=np.zeros((1, 1)))


def test_reference_trajectories_are_clipped_to_the_image():
    image = blank()
    matrix = np.array([[10, 0, 5], [0, 10, 5], [0, 0, 1]], float)
    positions = np.array([[0, 0], [9, 1], [1, 9], [-1, 0], [11, 0]])
    draw_reference_trajectory(image, matrix, positions)
    assert image[5, 5].tolist() == image[15, 95].tolist() == list(REFERENCE_TRAJ_COLOR)
    assert np.count_nonzero(image.any(axis=2)) == 2 * 5


@pytest.mark.parametrize("shape", [(60, 100, 3), (3, 60, 100), (60, 100), (30, 50, 3)])
def test_gifs_have_the_frames(tmp_path, shape):
    images = pytest.importorskip("PIL.Image")
    frames = [np.full(shape, value, np.uint8) for value in (0, 120, 250)]
    write_gif(str(tmp_path / "a.gif"), frames, (100, 60), fps=10)
    with images.open(tmp_path / "a.gif") as file:
        assert (file.size, file.n_frames) == ((100, 60), 3)
        assert file.info["duration"] == 100
        file.seek(1)
        assert file.convert("RGB").getpixel((50, 30)) == (120, 120, 120)


def test_videos_have_the_frames(tmp_path):
    frames = np.zeros((5, 64, 96, 3), np.uint8)
    frames[..., 0] = 200
    write_video(str(tmp_path / "a.avi"), frames, (96, 64), codec="MJPG")
    video = cv2.VideoCapture(str(tmp_path / "a.avi"))
    assert int(video.get(cv2.CAP_PROP_FRAME_COUNT)) == 5
    blue, green, red = video.read()[1][32, 48]
    assert red > 180 and green < 30 and blue < 30


def test_unknown_codecs_and_folders_are_errors(tmp_path):
    with pytest.raises(OSError, match="cannot be written"):
        write_video(str(tmp_path / "none/a.avi"), [], (96, 64), codec="MJPG")
    with pytest.raises(ValueError, match="none given"):
        write_gif(str(tmp_path / "a.gif"), [], (96, 64))


DRAW = """
import sys
import numpy as np
from l5kit.visualization import draw_reference_trajectory, draw_trajectory

random = np.random.default_rng(0)
image = np.zeros((100, 100, 3), np.uint8)
points, yaws = random.uniform(-5, 105, (300, 2)), random.uniform(-4, 4, (300, 1))
draw_trajectory(image, points[:100], (200, 30, 40))
draw_trajectory(image, points[100:200], (20, 230, 40), radius=3)
draw_trajectory(image, points[200:], (2, 30, 240), yaws=yaws[200:])
matrix = np.array([[3, 0.1, 50], [-0.1, 3, 50], [0, 0, 1]])
draw_reference_trajectory(image, matrix, random.uniform(-20, 20, (50, 2)))
np.save(sys.argv[1], image)
"""


@pytest.mark.skipif("L5KIT" not in os.environ, reason="L5KIT is not set")
def test_pixels_are_those_of_l5kit(tmp_path):
    script = tmp_path / "draw.py"
    script.write_text(DRAW)
    ours = [sys.executable, "-m", "bevscope.l5kit", str(script), str(tmp_path / "a.npy")]
    theirs = [sys.executable, str(HERE / "with_l5kit.py"), str(script)]
    subprocess.run(ours, check=True)
    subprocess.run([*theirs, str(tmp_path / "b.npy")], check=True)
    found, expected = np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy")
    assert expected.any()
    assert np.array_equal(found, expected)
