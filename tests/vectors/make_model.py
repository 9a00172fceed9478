"""Writes tests/vectors/model.json: two ONNX models, and what Python's onnxruntime returns for
the real L5Kit's samples of the goldens.

    python tests/vectors/make_model.py GOLDENS
"""

import base64
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

from protobuf import field, varint  # noqa: E402

#: Fields and element types of ONNX.
FLOAT, INT64, BOOL = 1, 7, 9
INT, INTS = 2, 7
MODES, STEPS = 2, 6

KINDS = [
    (f"{form} {kind}", model, f"{folder}/{config}_{data}_{kind}.npz", config, data, kind)
    for form, model, folder, configs in (
        ("raster", "raster", "samples", ("B_sem", "D_sem")),
        ("vector", "vector", "vector", ("V1", "V2", "V3")),
    )
    for kind in ("ego", "agent")
    for config in configs
    for data in ("single", "multi")
]


def number(index, value):
    return varint(index * 8) + varint(value)


def text(index, content):
    return field(index, content.encode())


def attribute(name, value):
    if isinstance(value, int):
        return field(5, text(1, name) + number(3, value) + number(20, INT))
    ints = b"".join(number(8, one) for one in value)
    return field(5, text(1, name) + ints + number(20, INTS))


def node(operator, inputs, output, **attributes):
    names = b"".join(text(1, one) for one in inputs) + text(2, output) + text(4, operator)
    return field(1, names + b"".join(attribute(*one) for one in attributes.items()))


def constant(name, values):
    kind = INT64 if values.dtype == np.int64 else FLOAT
    dims = b"".join(number(1, size) for size in values.shape)
    return field(5, dims + number(2, kind) + text(8, name) + field(9, values.tobytes()))


def value(index, name, kind, axes):
    dims = b"".join(
        field(1, text(2, axis) if isinstance(axis, str) else number(1, axis)) for axis in axes
    )
    return field(index, text(1, name) + field(2, field(1, number(1, kind) + field(2, dims))))


def model(inputs, nodes, constants):
    outputs = (("pred", (MODES, STEPS, 2)), ("logits", (MODES,)))
    graph = b"".join(nodes) + text(2, "graph")
    graph += b"".join(constant(*one) for one in constants.items())
    graph += b"".join(value(11, name, kind, ("n", *axes)) for name, kind, axes in inputs)
    graph += b"".join(value(12, name, FLOAT, ("n", *axes)) for name, axes in outputs)
    return number(1, 8) + field(7, graph) + field(8, number(2, 17))


def heads(features, weights, scale):
    """Operators from features to modes and their logits."""
    flat = MODES * STEPS * 2
    constants = {
        "wp": np.float32(scale) * weights(features, flat),
        "wl": np.float32(scale / 8) * weights(features, MODES),
        "shape": np.array([-1, MODES, STEPS, 2]),
    }
    nodes = [
        node("MatMul", ("features", "wp"), "flat"),
        node("Reshape", ("flat", "shape"), "pred"),
        node("MatMul", ("features", "wl"), "logits"),
    ]
    return nodes, constants


def raster_model(weights):
    """Two convolutions and a mean, for images of 25 channels and any size."""
    nodes, constants = heads(16, weights, 64)
    constants |= {"w1": weights(8, 25, 5, 5), "w2": weights(16, 8, 3, 3)}
    convolutions = [
        node("Conv", ("image", "w1"), "c1", strides=[4, 4]),
        node("Relu", ("c1",), "r1"),
        node("Conv", ("r1", "w2"), "c2", strides=[2, 2]),
        node("Relu", ("c2",), "r2"),
        node("GlobalAveragePool", ("r2",), "means"),
        node("Flatten", ("means",), "features"),
    ]
    inputs = [("image", FLOAT, (25, "h", "w"))]
    return model(inputs, convolutions + nodes, constants)


def vector_model(weights):
    """The greatest features of lanes, means of agents and of the own path, and the type."""
    nodes, constants = heads(36, weights, 2)
    constants |= {"wv": weights(3, 16), "last": np.array([-1])}
    features = [
        node("MatMul", ("lanes_mid", "wv"), "l1"),
        node("Relu", ("l1",), "l2"),
        node("Cast", ("lanes_mid_availabilities",), "known", to=FLOAT),
        node("Unsqueeze", ("known", "last"), "mask"),
        node("Mul", ("l2", "mask"), "l3"),
        node("ReduceMax", ("l3",), "of_lanes", axes=[1, 2], keepdims=0),
        node("MatMul", ("other_agents_polyline", "wv"), "a1"),
        node("Relu", ("a1",), "a2"),
        node("ReduceMean", ("a2",), "of_agents", axes=[1, 2], keepdims=0),
        node("ReduceMean", ("agent_trajectory_polyline",), "own", axes=[1], keepdims=0),
        node("Cast", ("type",), "class", to=FLOAT),
        node("Unsqueeze", ("class", "last"), "of_class"),
        node("Concat", ("of_lanes", "of_agents", "own", "of_class"), "features", axis=1),
    ]
    inputs = [
        ("lanes_mid", FLOAT, ("l", "p", 3)),
        ("lanes_mid_availabilities", BOOL, ("l", "p")),
        ("other_agents_polyline", FLOAT, ("a", "t", 3)),
        ("agent_trajectory_polyline", FLOAT, ("t", 3)),
        ("type", INT64, ()),
    ]
    return model(inputs, features + nodes, constants)


def places_in(npz):
    """Samples' names in a golden file, with scene, frame and track; -1 for the ego vehicle."""
    names = sorted({name.split(".")[0] for name in npz.files if "." in name})
    if "rows" in npz.files:
        rows = {f"{row[0]:05d}": [int(one) for one in row[1:4]] for row in npz["rows"]}
        return [(name, rows[name]) for name in names]
    out = []
    for name in names:
        scene = int(npz[f"{name}.scene_index"])
        # Vectorized samples lack the frame: their index is that of the data set of egos.
        frame = f"{name}.frame_index"
        state = int(npz[frame]) if frame in npz.files else int(name) - 60 * scene
        out.append((name, [scene, state, int(npz[f"{name}.track_id"])]))
    return out


def run(session, npz, name):
    inputs = {}
    for one in session.get_inputs():
        array = np.asarray(npz[f"{name}.{one.name}"])
        if one.name == "image":
            array = array.astype(np.float32) / np.float32(255)
        kinds = {"tensor(float)": "f4", "tensor(bool)": "?", "tensor(int64)": "i8"}
        inputs[one.name] = array.astype(kinds[one.type])[None]
    positions, logits = session.run(["pred", "logits"], inputs)
    return [*positions.ravel(), *logits.ravel()]


def coded(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def main(goldens):
    rng = np.random.default_rng(47)

    def weights(*shape):
        deviation = 1 / np.sqrt(np.prod(shape) / shape[0])
        return rng.normal(0, deviation, shape).astype(np.float32)

    models = {"raster": raster_model(weights), "vector": vector_model(weights)}
    sessions = {
        name: onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
        for name, content in models.items()
    }
    runs = []
    for name, of, file, config, data, kind in KINDS:
        npz = np.load(goldens / "outputs" / file)
        places = places_in(npz)
        outputs = np.array([run(sessions[of], npz, one) for one, _ in places], np.float32)
        runs.append(
            {
                "name": name,
                "model": of,
                "config": config,
                "data": f"{data}_scene.zarr",
                "places": [place for _, place in places],
                "outputs": coded(outputs),
            }
        )
        print(f"{name}, {config}, {data}: {len(places)} samples, to {abs(outputs).max():.2f}")
    table = {
        "made_by": f"tests/vectors/make_model.py, onnxruntime {onnxruntime.__version__}",
        "modes": MODES,
        "steps": STEPS,
        "models": {name: coded(np.frombuffer(m, np.uint8)) for name, m in models.items()},
        "runs": runs,
    }
    rows = ",\n".join(json.dumps(one) for one in table.pop("runs"))
    head = json.dumps(table, indent="\t").removesuffix("\n}")
    (HERE / "model.json").write_text(f'{head},\n\t"runs": [\n{rows}\n]}}\n')


if __name__ == "__main__":
    main(Path(sys.argv[1]))
