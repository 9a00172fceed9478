"""Steps: samples of the data sets, with rasters, vectors and perturbation."""

import cv2
import numpy as np
from context import (
    CONFIGS,
    EGO_MULTI,
    EGO_SINGLE,
    ON_MULTI,
    RGB,
    VEC,
    agent_indices,
    sample_arrays,
)


def run_raster(ctx):
    from l5kit.dataset import AgentDataset, EgoDataset
    from l5kit.rasterization import build_rasterizer

    st = ctx.st
    all_types = {}
    for name, cfg in CONFIGS.items():
        for src, tag in (("single_scene.zarr", "single"), ("multi_scene.zarr", "multi")):
            if tag == "multi" and name not in ON_MULTI:
                continue
            th = cfg["raster_params"]["filter_agents_threshold"]
            ds = ctx.zarr(src)
            rast = build_rasterizer(cfg, ctx.dm)
            mask = ctx.mask(src, th)[0]
            boolm = (mask[:, 0] >= 0) & (mask[:, 1] >= 1)
            ego = EgoDataset(cfg, ds, rast)
            agt = AgentDataset(cfg, ds, rast, agents_mask=boolm)
            for kind, dset, idx in (
                ("ego", ego, EGO_SINGLE if tag == "single" else EGO_MULTI),
                ("agent", agt, agent_indices(mask)),
            ):
                arrays, errors, kept = {}, {}, []
                for i in idx:
                    try:
                        d = dset[i]
                    except Exception as e:  # kept: the error itself is a golden
                        errors[str(i)] = [type(e).__name__, str(e)]
                        continue
                    kept.append(i)
                    a, t = sample_arrays(f"{i:05d}", d)
                    arrays.update(a)
                    all_types[kind] = t
                    if name in RGB and len(kept) in (2, 7):
                        rel = f"outputs/rgb/{name}_{tag}_{kind}_{i:05d}.png"
                        rgb = rast.to_rgb(d["image"].transpose(1, 2, 0))
                        cv2.imwrite(
                            st.path(rel), rgb[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9]
                        )
                        st.note(
                            rel,
                            f"rasterizer.to_rgb(image.transpose(1,2,0)) of "
                            f"{kind.title()}Dataset[{i}]",
                            config=name,
                        )
                arrays["indices"] = np.array(kept, np.int64)
                arrays["num_channels"] = np.array(rast.num_channels())
                arrays["dataset_len"] = np.array(len(dset))
                mask_of = (
                    ", agents_mask=(mask[:,0]>=0)&(mask[:,1]>=1) of "
                    f"outputs/select/{tag}_th{th}.npz"
                )
                call = "{}Dataset(cfg, inputs/{}{})[i] for i in indices".format(
                    kind.title(), src, "" if kind == "ego" else mask_of
                )
                st.npz(
                    f"outputs/samples/{name}_{tag}_{kind}.npz",
                    arrays,
                    call,
                    config=name,
                    notes={"errors": errors} if errors else None,
                )
            print("raster", name, tag, flush=True)
    st.json(
        "outputs/samples/key_types.json",
        all_types,
        "python type (and dtype) of each key of one sample",
    )


def run_vector(ctx):
    from l5kit.dataset import EgoAgentDatasetVectorized, EgoDatasetVectorized
    from l5kit.vectorization.vectorizer_builder import build_vectorizer

    st = ctx.st
    all_types = {}
    for name, cfg in VEC.items():
        for src, tag in (("single_scene.zarr", "single"), ("multi_scene.zarr", "multi")):
            ds = ctx.zarr(src)
            eds = EgoDatasetVectorized(cfg, ds, build_vectorizer(cfg, ctx.dm))
            arrays = {"indices": np.array(EGO_SINGLE if tag == "single" else EGO_MULTI)}
            for i in arrays["indices"]:
                a, t = sample_arrays(f"{i:05d}", eds[int(i)])
                arrays.update(a)
                all_types["ego"] = t
            st.npz(
                f"outputs/vector/{name}_{tag}_ego.npz",
                arrays,
                f"EgoDatasetVectorized(cfg, inputs/{src}, build_vectorizer(cfg))[i]",
                config=name,
            )
            # agent-centred: get_frame with a track id
            mask = ctx.mask(src)[0]
            ok = np.nonzero((mask[:, 0] >= 0) & (mask[:, 1] >= 1))[0]
            pick = ok[agent_indices(mask, 4, 6)]
            fr = ds.frames[:]
            sc = ds.scenes[:]
            arrays, rows = {}, []
            for g in pick:
                f = int(np.searchsorted(fr["agent_index_interval"][:, 1], g, side="right"))
                s = int(np.searchsorted(sc["frame_index_interval"][:, 1], f, side="right"))
                state = f - int(sc[s]["frame_index_interval"][0])
                tid = ds.agents[int(g)]["track_id"]
                rows.append((int(g), s, state, int(tid)))
                a, t = sample_arrays(f"{g:05d}", eds.get_frame(s, state, track_id=tid))
                arrays.update(a)
                all_types["agent"] = t
            arrays["rows"] = np.array(rows, np.int64)
            st.npz(
                f"outputs/vector/{name}_{tag}_agent.npz",
                arrays,
                "EgoDatasetVectorized.get_frame(scene, state, track_id) for rows = "
                "(agent index in zarr, scene, "
                "state, track id)",
                config=name,
            )
            if name != "V2":
                bm = (mask[:, 0] >= 10) & (mask[:, 1] >= 1)
                ead = EgoAgentDatasetVectorized(
                    cfg, ds, build_vectorizer(cfg, ctx.dm), agents_mask=bm
                )
                arrays = {"indices": arrays_idx(tag)}
                for i in arrays["indices"]:
                    a, t = sample_arrays(f"{i:05d}", ead[int(i)])
                    arrays.update(a)
                    all_types["egoagent"] = t
                st.npz(
                    f"outputs/vector/{name}_{tag}_egoagent.npz",
                    arrays,
                    f"EgoAgentDatasetVectorized(cfg, inputs/{src}, vectorizer, "
                    f"agents_mask=(past>=10)&(future>=1))[i]; "
                    "the constructor lowers vectorizer.other_agents_num by one",
                    config=name,
                )
            if name == "V1" and tag == "single":
                ead = EgoAgentDatasetVectorized(
                    cfg,
                    ds,
                    build_vectorizer(cfg, ctx.dm),
                    agents_mask=np.arange(len(mask)) % 997 == 0,
                    eval_mode=True,
                )
                a, t = sample_arrays("00000", ead[0])
                a["len"] = np.array(len(ead))
                st.npz(
                    "outputs/vector/V1_single_egoagent_eval.npz",
                    a,
                    "EgoAgentDatasetVectorized(…, agents_mask=arange(N)%997==0, "
                    "eval_mode=True)[0] (frame 99)",
                    config="V1",
                )
            print("vector", name, tag, flush=True)
    st.json(
        "outputs/vector/key_types.json",
        all_types,
        "python type (and dtype) of each key of one sample",
    )


def arrays_idx(tag):
    return np.array((EGO_SINGLE if tag == "single" else EGO_MULTI)[::3])


def run_perturb(ctx):
    from l5kit.dataset import EgoDataset
    from l5kit.kinematic import AckermanPerturbation
    from l5kit.random import GaussianRandomGenerator, ReplayRandomGenerator
    from l5kit.rasterization import build_rasterizer
    from l5kit.sampling.agent_sampling import get_agent_context

    st = ctx.st
    ds = ctx.zarr("single_scene.zarr")
    fr = ds.frames[:]
    arrays = {}
    offs = [
        (0.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (-0.7, 0.4, 0.15),
        (4.0, 1.0, 0.33),
    ]
    k = 0
    for state in (20, 90, 150):
        for o in offs:
            for h, f in ((0, 12), (10, 50)):
                hf, ff, *_ = get_agent_context(state, fr, ds.agents, ds.tl_faces, h, f)
                p = AckermanPerturbation(
                    ReplayRandomGenerator(np.array([o])),
                    perturb_prob=1.0,
                    min_displacement=0 if k % 2 else 5.0,
                )
                nh, nf = p.perturb(hf.copy(), ff.copy())
                arrays[f"{k:02d}.params"] = np.array(
                    [state, h, f, o[0], o[1], o[2], p.min_displacement]
                )
                arrays[f"{k:02d}.history_translation"] = nh["ego_translation"]
                arrays[f"{k:02d}.history_rotation"] = nh["ego_rotation"]
                arrays[f"{k:02d}.future_translation"] = nf["ego_translation"]
                arrays[f"{k:02d}.future_rotation"] = nf["ego_rotation"]
                k += 1
    st.npz(
        "outputs/perturb/ackerman.npz",
        arrays,
        "AckermanPerturbation(ReplayRandomGenerator([[lat, lon, yaw]]), 1.0, "
        "min_displacement).perturb(history, future) on single_scene; params = [state, "
        "history, future, lat, lon, yaw, "
        "min_displacement]. The fit is scipy.optimize.least_squares (TRF): compare with "
        "a tolerance.",
    )
    cfg = CONFIGS["B_box"]
    gen = GaussianRandomGenerator(
        mean=np.zeros(3), std=np.array([0.5, 1.0, 0.1]), random_seed=3
    )
    np.random.seed(42)
    eds = EgoDataset(
        cfg, ds, build_rasterizer(cfg, ctx.dm), AckermanPerturbation(gen, perturb_prob=0.7)
    )
    arrays = {"indices": np.array([15, 60, 100, 150, 230])}
    for i in arrays["indices"]:
        arrays.update(sample_arrays(f"{i:05d}", eds[int(i)])[0])
    g2 = GaussianRandomGenerator(
        mean=np.zeros(3), std=np.array([0.5, 1.0, 0.1]), random_seed=3
    )
    arrays["gaussian_draws"] = np.stack([g2() for _ in range(5)])
    st.npz(
        "outputs/perturb/ego_gaussian.npz",
        arrays,
        "np.random.seed(42); EgoDataset(B_box, perturbation="
        "AckermanPerturbation(GaussianRandomGenerator(0, [.5,1,.1], seed 3), "
        "perturb_prob=0.7)), indices in order; "
        "index 230 has fewer than 50 future frames, so it is never perturbed",
        config="B_box",
    )
