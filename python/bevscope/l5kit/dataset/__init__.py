from .agent import AgentDataset
from .ego import BaseEgoDataset, EgoDataset, EgoDatasetVectorized
from .ego_agent import EgoAgentDatasetVectorized
from .select_agents import select_agents

__all__ = [
    "AgentDataset",
    "BaseEgoDataset",
    "EgoAgentDatasetVectorized",
    "EgoDataset",
    "EgoDatasetVectorized",
    "select_agents",
]
