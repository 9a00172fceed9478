"""Images for display are contiguous: OpenCV draws on no others."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

from bevscope.l5kit.data import ChunkedDataset, LocalDataManager  # noqa: E402
from bevscope.l5kit.dataset import EgoDataset  # noqa: E402
from bevscope.l5kit.rasterization import build_rasterizer  # noqa: E402
from bevscope.l5kit.visualization import draw_trajectory  # noqa: E402

KINDS = ["py_semantic", "semantic_debug", "py_satellite", "satellite_debug", "box_debug"]
KINDS += ["stub_debug"]


@pytest.mark.parametrize("kind", KINDS)
def test_l5kits_idiom_of_drawing_works(goldens, configs, kind):
    (config,) = [c for c in configs.values() if c["raster_params"]["map_type"] == kind][:1]
    manager = LocalDataManager(goldens / "inputs")
    dataset = ChunkedDataset(str(goldens / "inputs/single_scene.zarr")).open()
    rasterizer = build_rasterizer(config, manager)
    sample = EgoDataset(config, dataset, rasterizer)[5]
    image = sample["image"].transpose(1, 2, 0)
    found = rasterizer.to_rgb(image)
    assert found.flags.c_contiguous and found.flags.writeable
    assert np.array_equal(found, rasterizer.to_rgb(np.ascontiguousarray(image)))
    pytest.importorskip("cv2")
    before = found.copy()
    draw_trajectory(found, np.array([[10.0, 10.0], [20.0, 20.0]]), (255, 0, 255))
    assert not np.array_equal(found, before)
