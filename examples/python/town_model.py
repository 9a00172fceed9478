"""Trains the example model: python town_model.py TOWN OUT.onnx [EPOCHS].

TOWN is a folder of `bevscope town`; examples/models/town.onnx is of `bevscope town TOWN
--scenes 24 --seed 11 --no-aerial`, after 10 epochs, some minutes. The model drives the ego
vehicle and predicts agents from vectorized samples: three modes of 5 s, each a polynomial
of time.
"""

import sys

import numpy as np
import torch
import yaml

import bevscope
from bevscope.model import export_onnx

HISTORY, STEPS, MODES, DEGREE, WIDTH = 4, 50, 3, 5, 48
KEYS = (
    *("agent_trajectory_polyline", "agent_polyline_availability", "extent"),
    *("other_agents_polyline", "other_agents_polyline_availability"),
    *("lanes_mid", "lanes_mid_availabilities"),
)
TARGETS = ("target_positions", "target_availabilities")


def layers(*widths):
    """Returns a perceptron without an activation at its end."""
    made = []
    for before, after in zip(widths, widths[1:]):
        made += [torch.nn.Linear(before, after), torch.nn.ReLU()]
    return torch.nn.Sequential(*made[:-1])


class Planner(torch.nn.Module):
    """Looks at lanes and agents from the road user's own motion."""

    def __init__(self):
        super().__init__()
        self.own = layers(4 * (HISTORY + 1) + 3, 2 * WIDTH, WIDTH)
        self.lane = layers(9, WIDTH // 2, WIDTH)
        self.other = layers(5 * (HISTORY + 1), WIDTH, WIDTH)
        self.query = layers(WIDTH, 2 * WIDTH)
        self.out = layers(4 * WIDTH, 2 * WIDTH, 2 * WIDTH, MODES * (2 * DEGREE + 1))
        time = torch.arange(1, STEPS + 1) / STEPS
        powers = torch.stack([time ** (k + 1) for k in range(DEGREE)], 1)
        self.register_buffer("powers", powers)  # (steps, degree)

    def forward(self, sample):
        known = sample["agent_polyline_availability"].float()[..., None]
        past = sample["agent_trajectory_polyline"] * known
        motion = torch.cat([past, known], 2).flatten(1)
        own = self.own(torch.cat([motion, sample["extent"].float() / 5], 1))

        seen = sample["lanes_mid_availabilities"][:, :, ::2].float()[..., None]
        points = sample["lanes_mid"][:, :, ::2]
        place = points[..., :2] / 20
        codes = torch.arange(1, 5)  # none, green, yellow, red, of lanes ahead
        light = (1 - (points[..., 2:] - codes).abs()).clamp(min=0)
        ahead = torch.cat([place[:, :, 1:], place[:, :, -1:]], 2) - place
        near = torch.exp(-(place * place).sum(-1, keepdim=True))
        lanes = self.lane(torch.cat([place, 5 * ahead, light, near], 3))
        lanes = (lanes - 1e3 * (1 - seen)).amax(2)
        has_lane = seen.amax(2)

        there = sample["other_agents_polyline_availability"].float()[..., None]
        paths = sample["other_agents_polyline"] * there
        turned = torch.cat([torch.cos(paths[..., 2:]), torch.sin(paths[..., 2:])], 3)
        paths = torch.cat([paths[..., :2] / 20, turned * there, there], 3).flatten(2)
        others = self.other(paths)
        has_other = there.amax(2)

        query = self.query(own)
        found = [own]
        for i, (items, mask) in enumerate(((lanes, has_lane), (others, has_other))):
            items = items * mask
            wanted = query[:, None, i * WIDTH : (i + 1) * WIDTH]
            scores = (items * wanted).sum(2, keepdim=True) / WIDTH**0.5
            weights = torch.softmax(scores - 1e3 * (1 - mask), 1)
            found.append((weights * items).sum(1))
        found.append(lanes.clamp(min=-1).amax(1))
        out = self.out(torch.cat(found, 1))
        terms = out[:, MODES:].view(out.shape[0], MODES, 1, 2, DEGREE)
        positions = 10 * (terms * self.powers[:, None]).sum(4)
        # In a steady motion, which the network only has to correct.
        step = -past[:, 1, :2]
        steady = step[:, None, None] * torch.arange(1, STEPS + 1)[:, None]
        positions = positions + steady
        return {"positions": positions, "logits": out[:, :MODES]}


def loss_of(found, batch):
    """The error of the best mode, and how probable that is."""
    known = batch["target_availabilities"].float()
    errors = (found["positions"] - batch["target_positions"][:, None]).norm(dim=3)
    # Near steps count as much as far ones: a closed loop takes the first.
    weights = known / (0.5 + torch.arange(1, STEPS + 1) / 10)
    mean = (errors * weights[:, None]).sum(2) / weights.sum(1, keepdim=True).clamp(min=1e-6)
    best = mean.detach().argmin(1)
    chosen = mean.gather(1, best[:, None]).mean()
    return chosen + 0.1 * torch.nn.functional.cross_entropy(found["logits"], best)


def arrays_of(town, config):
    """Returns the inputs and targets of ego vehicles and of cars, as tensors."""
    data, root = f"{town}/scenes/town.zarr", town
    moved = {
        "probability": 0.5,
        "mean": [0, 0, 0],
        "deviation": [0.3, 0.6, 0.04],
        "seed": 1,
    }
    parts = [
        bevscope.Samples(data, config, vectorized=True, root=root),
        bevscope.Samples(data, config, vectorized=True, root=root, perturbation=moved),
        bevscope.Samples(data, config, vectorized=True, root=root, kind="agent"),
    ]
    arrays = {key: [] for key in (*KEYS, *TARGETS)}
    for samples, stride in zip(parts, (1, 1, 20)):
        for begin in range(0, len(samples), 64 * stride):
            batch = samples.batch(
                range(begin, min(len(samples), begin + 64 * stride), stride)
            )
            for key, values in arrays.items():
                values.append(np.array(batch[key]))
    return {key: torch.from_numpy(np.concatenate(of)) for key, of in arrays.items()}


def main(town, out, epochs=10):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    with open(f"{town}/config.yaml") as file:
        config = yaml.safe_load(file)
    config["model_params"].update(
        history_num_frames=HISTORY,
        history_num_frames_ego=HISTORY,
        history_num_frames_agents=HISTORY,
        future_num_frames=STEPS,
    )
    del config["sample_data_loader"]
    arrays = arrays_of(town, config)
    count = len(arrays["extent"])
    model = Planner()
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    batches = count // 128
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, epochs * batches)
    for epoch in range(epochs):
        order, sum_ = torch.randperm(count), 0.0
        for i in range(batches):
            rows = order[128 * i : 128 * (i + 1)]
            batch = {key: values[rows] for key, values in arrays.items()}
            # The first frame of a closed loop has no history.
            hidden = torch.rand(len(rows)) < 0.1
            batch["agent_polyline_availability"][hidden, 1:] = False
            loss = loss_of(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            plan.step()
            sum_ += loss.item()
        print(f"epoch {epoch}: {sum_ / batches:.3f} of {count} samples", flush=True)
    model.eval()
    samples = bevscope.Samples(
        f"{town}/scenes/town.zarr", config, vectorized=True, root=town
    )
    settings = {
        "name": "Town planner",
        "subject": "both",
        "config": config,
    }
    batch = samples.batch(range(20, 28))
    batch["extent"] = batch["extent"].astype("f4")
    export_onnx(model, batch, out, settings=settings)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(word) for word in sys.argv[3:]))
