"""Steps: geometry, and L5Kit's calls of OpenCV on their own."""

import os

import cv2
import numpy as np
from l5kit.data import AGENT_DTYPE
from town_scenes import euler_to_rot


def run_geometry(ctx):
    from l5kit import geometry as G
    from l5kit.rasterization import RenderContext
    from l5kit.rasterization.box_rasterizer import draw_boxes, get_box_world_coords
    from l5kit.sampling.slicing import get_future_slice, get_history_slice

    st = ctx.st
    rng = np.random.RandomState(11)
    x32 = np.concatenate(
        [
            rng.uniform(-3.3, 3.3, 4000),
            [0, -0.0, np.pi, -np.pi, np.pi / 2, -np.pi / 2, 1e-4, 100.0, -70000.0],
        ]
    ).astype(np.float32)
    st.npz(
        "outputs/geometry/sincos_f32.npz",
        {"x": x32, "sin": np.sin(x32), "cos": np.cos(x32), "degrees": np.degrees(x32)},
        "np.sin, np.cos, np.degrees of float32: box corners and agent-centred rasters "
        "use float32 yaw",
    )
    a, b = rng.uniform(-10, 10, 200), rng.uniform(-10, 10, 200)
    p2, p3 = rng.normal(0, 500, (50, 2)), rng.normal(0, 500, (50, 3))
    m2, m3 = np.eye(3), np.eye(4)
    m2[:2] = rng.normal(0, 1, (2, 3))
    m3[:3] = rng.normal(0, 1, (3, 4))
    mb = np.repeat(np.eye(3)[None], 4, 0)
    mb[:, :2] = rng.normal(0, 1, (4, 2, 3))
    pb = rng.normal(0, 10, (4, 7, 2))
    rots = np.stack([euler_to_rot(*rng.uniform(-3.1, 3.1, 3)) for _ in range(40)])
    rots[0] = euler_to_rot(0.3, np.pi / 2, 0.7)
    rots[1] = np.eye(3)
    lla = np.stack(
        [rng.uniform(-80, 80, 20), rng.uniform(-179, 179, 20), rng.uniform(-50, 3000, 20)],
        -1,
    )
    v1, v2 = rng.normal(0, 1, (20, 3)), rng.normal(0, 1, (20, 3))
    st.npz(
        "outputs/geometry/geometry.npz",
        {
            "angle_a": a,
            "angle_b": b,
            "angular_distance": G.angular_distance(a, b),
            "angular_distance_f32": G.angular_distance(
                a.astype(np.float32), b.astype(np.float32)
            ),
            "points2": p2,
            "matrix2": m2,
            "transform_points2": G.transform_points(p2, m2),
            "points3": p3,
            "matrix3": m3,
            "transform_points3": G.transform_points(p3, m3),
            "points_b": pb,
            "matrix_b": mb,
            "transform_points_bb": G.transform_points(pb, mb),
            "transform_points_b1": G.transform_points(pb, m2),
            "rotations": rots,
            "rotation33_as_yaw": np.array([G.rotation33_as_yaw(r) for r in rots]),
            "yaw_as_rotation33": np.stack([G.yaw_as_rotation33(x) for x in a[:20]]),
            "vertical_flip": G.vertical_flip(m2, 224),
            "compute_agent_pose": np.stack(
                [G.compute_agent_pose(p2[i], a[i]) for i in range(20)]
            ),
            "lla": lla,
            "geodetic_to_ecef": np.stack([G.geodetic_to_ecef(x) for x in lla]),
            "ecef_to_geodetic": np.stack(
                [G.ecef_to_geodetic(G.geodetic_to_ecef(x)) for x in lla]
            ),
            "v1": v1,
            "v2": v2,
            "angle_between_vectors": np.array(
                [G.angle_between_vectors(x, y) for x, y in zip(v1, v2)]
            ),
            "yaw_around_north": np.array(
                [G.compute_yaw_around_north_from_direction(x[:2]) for x in v1]
            ),
            "normalize_intensity": G.normalize_intensity(p2, 100.0),
            "voxel_coords": rng.randint(-2, 8, (60, 3)),
        },
        "l5kit.geometry.* on random input",
    )
    vc = np.load(st.path("outputs/geometry/geometry.npz"))["voxel_coords"]
    st.npz(
        "outputs/geometry/voxel.npz",
        {
            "coords": vc,
            "within": G.points_within_bounds(vc, (6, 5, 4)),
            "grid": G.voxel_coords_to_intensity_grid(vc, (6, 5, 4)),
        },
        "points_within_bounds / voxel_coords_to_intensity_grid(coords, (6,5,4))",
    )
    rc = {}
    k = 0
    for size in ((224, 224), (160, 96)):
        for px in (0.5, 0.25):
            for c in ((0.25, 0.5), (0.5, 0.5), (0.0, 1.0)):
                for bottom in (True, False):
                    r = RenderContext(
                        np.array(size), np.array((px, px)), np.array(c), bottom
                    )
                    rc[f"{k:02d}.params"] = np.array(
                        [size[0], size[1], px, c[0], c[1], bottom]
                    )
                    rc[f"{k:02d}.raster_from_local"] = r.raster_from_local
                    rc[f"{k:02d}.pose"] = np.array([p2[k, 0], p2[k, 1], a[k]])
                    rc[f"{k:02d}.raster_from_world"] = r.raster_from_world(p2[k], a[k])
                    k += 1
    st.npz(
        "outputs/geometry/render_context.npz",
        rc,
        "RenderContext(size, pixel, center, bottom); params = [w, h, px, "
        "cx, cy, set_origin_to_bottom]; raster_from_world(pose[:2], pose[2])",
    )
    sl = []
    for f in (0, 1, 2, 5, 20):
        for n in (0, 1, 2, 5, 30):
            for stp in (1, 2, 3):
                for inc in (True, False):
                    s = get_history_slice(f, n, stp, inc)
                    sl.append(
                        {
                            "history": [f, n, stp, inc],
                            "slice": [s.start, s.stop, s.step],
                            "of25": list(range(25))[s],
                        }
                    )
                s = get_future_slice(f, n, stp)
                sl.append(
                    {
                        "future": [f, n, stp],
                        "slice": [s.start, s.stop, s.step],
                        "of25": list(range(25))[s],
                    }
                )
    st.json(
        "outputs/geometry/slices.json",
        sl,
        "get_history_slice(frame, n, step, include_current) / "
        "get_future_slice(frame, n, step); of25 = that slice of range(25)",
    )
    # boxes: also overlapping ones, which cv2.fillPoly fills by the even-odd rule
    ag = np.zeros(40, dtype=AGENT_DTYPE)
    ag["centroid"] = rng.uniform(0, 100, (40, 2))
    ag["extent"] = rng.uniform(0.3, 14, (40, 3))
    ag["yaw"] = rng.uniform(-3.2, 3.2, 40)
    arrays = {
        "centroid": ag["centroid"],
        "extent": ag["extent"],
        "yaw": ag["yaw"],
        "box_world_coords": get_box_world_coords(ag),
    }
    m = np.array([[1.1, 0.2, -3.0], [-0.2, 1.1, 5.0], [0, 0, 1]])
    arrays["raster_from_world"] = m
    arrays["all"] = draw_boxes((128, 112), m, ag, 255)
    arrays["rgb"] = draw_boxes((128, 112), m, ag[:10], (255, 100, 30))
    for k in range(40):
        arrays[f"{k:02d}.single"] = draw_boxes((128, 112), m, ag[k : k + 1], 255)
    arrays["none"] = draw_boxes((128, 112), m, ag[:0], 255)
    st.npz(
        "outputs/geometry/boxes.npz",
        arrays,
        "get_box_world_coords(agents); draw_boxes((128,112), "
        "raster_from_world, agents, 255): all 40 in one call, each alone, none; rgb = "
        "first 10, colour (255,100,30)",
    )


def run_cv2(ctx):
    """Calls of OpenCV as L5Kit makes them, for tests of each on its own."""
    st = ctx.st
    rng = np.random.RandomState(99)
    S = 512
    arrays = {}
    k = 0
    for n in (3, 4, 4, 4, 4, 5, 8, 12, 40):
        for rep in range(6):
            scale = (6, 20, 60, 60, 200, 3)[rep]
            c = rng.uniform(0, 64, 2)
            if n == 40:
                t = np.linspace(0, 6, 20)
                line = np.stack([c[0] + 4 * t, c[1] + scale / 6 * np.sin(t)], -1)
                pts = np.concatenate([line, (line + [0, 5])[::-1]])
            elif n == 4 and rep % 2 == 0:
                th = rng.uniform(0, 6.3)
                r = np.array([[np.cos(th), -np.sin(th)], [np.sin(th), np.cos(th)]])
                pts = (
                    np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * [scale / 2, scale / 4]
                ) @ r.T + c
            else:
                pts = c + rng.normal(0, scale / 2, (n, 2))
            ip = (pts * S).astype(np.int64)
            im = np.zeros((64, 64), np.uint8)
            cv2.fillPoly(im, ip[None], color=255, shift=9, lineType=cv2.LINE_AA)
            arrays[f"{k:03d}.pts"] = ip
            arrays[f"{k:03d}.fill"] = im
            rgb = np.full((64, 64, 3), 255, np.uint8)
            cv2.fillPoly(rgb, [ip], (17, 17, 31), shift=9, lineType=cv2.LINE_AA)
            arrays[f"{k:03d}.fillrgb"] = rgb
            rgb = np.full((64, 64, 3), 255, np.uint8)
            cv2.polylines(
                rgb, ip[None], False, (255, 217, 82), shift=9, lineType=cv2.LINE_AA
            )
            arrays[f"{k:03d}.open"] = rgb
            rgb = np.full((64, 64, 3), 255, np.uint8)
            cv2.polylines(rgb, [ip], True, (255, 117, 69), shift=9, lineType=cv2.LINE_AA)
            arrays[f"{k:03d}.closed"] = rgb
            k += 1
    for rep in range(8):  # several polygons in one call
        m = int(rng.randint(2, 9))
        pts = rng.uniform(-10, 74, (m, 1, 2)) + rng.normal(0, 9, (m, 4, 2))
        ip = (pts * S).astype(np.int64)
        im = np.zeros((64, 64), np.uint8)
        cv2.fillPoly(im, ip, color=255, shift=9, lineType=cv2.LINE_AA)
        arrays[f"{k:03d}.pts"] = ip
        arrays[f"{k:03d}.fill"] = im
        k += 1
    st.npz(
        "outputs/cv2/polygons.npz",
        arrays,
        "cv2 4.6.0 on 64x64 images, points are fixed point (shift 9), LINE_AA: "
        "fill = fillPoly(zeros, pts, 255); fillrgb = fillPoly(white, [pts], (17,17,31)); "
        "open/closed = "
        "polylines(white, pts, False/True, (255,217,82)/(255,117,69))",
    )
    arrays = {}
    img = rng.randint(0, 256, (90, 70, 3)).astype(np.uint8)
    img = cv2.GaussianBlur(img, (3, 3), 0)
    arrays["image"] = img
    for k, ang in enumerate((0.0, 1.0, -33.3, 45.0, 90.0, 131.5866, -133.0, 179.9)):
        sub = img[k : k + 60, 3:63]
        m = cv2.getRotationMatrix2D(
            (sub.shape[1] / 2, sub.shape[0] / 2), angle=ang, scale=1.0
        )
        arrays[f"{k:02d}.angle"] = np.array(ang)
        arrays[f"{k:02d}.matrix"] = m
        arrays[f"{k:02d}.warp"] = cv2.warpAffine(sub, m, (60, 60))
    for k, (w, h) in enumerate(
        ((112, 112), (224, 224), (59, 59), (30, 30), (60, 60), (77, 41))
    ):
        arrays[f"{k:02d}.size"] = np.array([w, h])
        arrays[f"{k:02d}.resize"] = cv2.resize(
            img[:60, :60], (w, h), interpolation=cv2.INTER_LINEAR
        )
    st.npz(
        "outputs/cv2/warp_resize.npz",
        arrays,
        "k.warp = warpAffine(image[k:k+60, 3:63], getRotationMatrix2D((30,30), "
        "angle, 1), (60,60)) (bilinear, border 0); k.resize = resize(image[:60,:60], "
        "size, INTER_LINEAR)",
    )
    from l5kit.rasterization.satellite_image import (
        get_sat_image_crop,
        get_sat_image_crop_scaled,
    )

    sat = cv2.imread(os.path.join(ctx.inp, "aerial_town.png"))[..., ::-1]
    arrays = {}
    k = 0
    for w, h in ((112, 112), (160, 96), (96, 160), (111, 77)):
        for ps in (0.25, 0.5):
            for yaw in (None, 0.0, 2.31, -0.7):
                t = np.array([rng.uniform(600, 900), rng.uniform(300, 600)])
                arrays[f"{k:02d}.crop"] = np.array([w, h])
                arrays[f"{k:02d}.params"] = np.array(
                    [t[0], t[1], np.nan if yaw is None else yaw, ps]
                )
                arrays[f"{k:02d}.out"] = get_sat_image_crop_scaled(
                    sat, (w, h), t, yaw=yaw, pixel_size=ps, sat_pixel_scale=0.47379
                )
                k += 1
    arrays["crop_only"] = get_sat_image_crop(
        sat, np.array([51, 51]), np.array([700.4, 400.9]), 0.9
    )
    st.npz(
        "outputs/cv2/sat_crops.npz",
        arrays,
        "get_sat_image_crop_scaled(aerial_town RGB, crop (w,h), "
        "params = [row, col, yaw (nan = None), pixel_size], sat_pixel_scale=0.47379); "
        "crop_only = "
        "get_sat_image_crop(sat, (51,51), (700.4, 400.9), 0.9)",
    )
    from l5kit.visualization.utils import draw_trajectory

    arrays = {}
    pos = np.cumsum(rng.uniform(0, 5, (15, 2)), 0) + 8
    yaws = rng.uniform(-3, 3, (15, 1))
    for tag, kw in (("points", {}), ("radius3", {"radius": 3}), ("arrows", {"yaws": yaws})):
        im = np.zeros((96, 96, 3), np.uint8)
        draw_trajectory(im, pos, (255, 0, 255), **kw)
        arrays[tag] = im
    arrays["positions"], arrays["yaws"] = pos, yaws
    st.npz(
        "outputs/cv2/draw_trajectory.npz",
        arrays,
        "visualization.draw_trajectory(zeros 96x96, positions, "
        "(255,0,255)[, radius=3 | yaws])",
    )
