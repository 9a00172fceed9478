from .ackerman_perturbation import AckermanPerturbation
from .perturbation import Perturbation

__all__ = ["AckermanPerturbation", "Perturbation"]
