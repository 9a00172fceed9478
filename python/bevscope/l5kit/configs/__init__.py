from .config import load_config_data, load_metadata, save_config_data

__all__ = ["load_config_data", "load_metadata", "save_config_data"]
