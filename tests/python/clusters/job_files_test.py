"""The examples of job files are valid for the programs that read them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_kubernetes_accepts_the_indexed_job():
    validate = pytest.importorskip("kubernetes_validate")
    import yaml

    job = yaml.safe_load((ROOT / "examples/batch/kubernetes.yaml").read_text())
    validate.validate(job, validate.latest_version(), strict=True)
    job["spec"]["completionMod"] = job["spec"].pop("completionMode")
    with pytest.raises(validate.ValidationError, match="completionMod"):
        validate.validate(job, validate.latest_version(), strict=True)
