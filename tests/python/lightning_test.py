"""Lightning trains on bevscope.torch.loader, and continues within an epoch."""

import pytest

torch = pytest.importorskip("torch")
lightning = pytest.importorskip("pytorch_lightning")

import yaml  # noqa: E402

import bevscope  # noqa: E402
from bevscope.torch import loader, order_of  # noqa: E402

pytestmark = pytest.mark.usefixtures("lightning_runs")

OPTIONS = {
    "accelerator": "cpu",
    "logger": False,
    "enable_checkpointing": False,
    "enable_progress_bar": False,
    "enable_model_summary": False,
}


class Town(lightning.LightningDataModule):
    def __init__(self, samples):
        super().__init__()
        self.samples = samples

    def train_dataloader(self):
        return loader(self.samples, batch_size=4, shuffle=True, seed=1)


class Recorder(lightning.LightningModule):
    """Keeps the frames that it is given."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(()))
        self.seen = []

    def training_step(self, batch, index):
        self.seen += batch["frame_index"].tolist()
        return self.weight * batch["target_positions"].abs().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


@pytest.fixture(scope="module")
def samples(town):
    config = yaml.safe_load((town / "config.yaml").read_text())
    path = town / "scenes/town.zarr"
    whole = bevscope.Samples(path, config, root=town, image="none")
    rows = range(0, 40)

    class Some:
        """The first 40 samples, so that epochs end soon."""

        def __len__(self):
            return len(rows)

        def batch(self, indices, *, threads):
            return whole.batch(indices, threads=threads)

    return Some()


def fit(samples, steps, **more):
    model = Recorder()
    trainer = lightning.Trainer(max_steps=steps, **OPTIONS)
    trainer.fit(model, Town(samples), **more)
    return model.seen, trainer


def test_epochs_are_those_of_the_loader(samples):
    seen, _ = fit(samples, 25)
    expected = [i for epoch in range(3) for i in order_of(40, True, 1, epoch)]
    assert seen == expected[:100]


@pytest.mark.parametrize("stop", [3, 10, 14])
def test_a_checkpoint_continues_with_the_next_batch(samples, stop, tmp_path):
    whole, _ = fit(samples, 25)
    before, trainer = fit(samples, stop)
    path = tmp_path / "stopped.ckpt"
    trainer.save_checkpoint(path)
    after, _ = fit(samples, 25, ckpt_path=path)
    assert before + after == whole


def test_stateful_loaders_of_torchdata_continue_with_the_next_batch(samples, town):
    stateful = pytest.importorskip("torchdata.stateful_dataloader")
    config = yaml.safe_load((town / "config.yaml").read_text())
    path = town / "scenes/town.zarr"
    made = bevscope.Samples(path, config, root=town, image="none")

    def frames(workers, state=None):
        batches = stateful.StatefulDataLoader(
            made,
            batch_size=8,
            num_workers=workers,
            collate_fn=bevscope.torch.collate,
            multiprocessing_context="spawn" if workers else None,
        )
        if state:
            batches.load_state_dict(state)
        for count, batch in enumerate(batches):
            yield batch["frame_index"].tolist(), batches.state_dict()
            if count == 3:
                return

    for workers in (0, 2):
        first = list(frames(workers))
        (items, state), (following, _) = first[1], first[2]
        assert items == [*range(8, 16)]
        (continued, _), *_ = frames(workers, state)
        assert continued == following == [*range(16, 24)]
