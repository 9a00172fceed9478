from .ackerman_perturbation import AckermanPerturbation
from .ackerman_steering_model import (
    fit_ackerman_model_approximate,
    fit_ackerman_model_exact,
)
from .perturbation import Perturbation

__all__ = [
    "AckermanPerturbation",
    "Perturbation",
    "fit_ackerman_model_approximate",
    "fit_ackerman_model_exact",
]
