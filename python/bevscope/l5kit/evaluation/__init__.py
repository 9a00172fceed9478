from .chop_dataset import create_chopped_dataset
from .csv_utils import read_gt_csv, read_pred_csv, write_gt_csv, write_pred_csv
from .extract_ground_truth import export_zarr_to_csv
from .extract_metrics import compute_metrics_csv

__all__ = [
    "compute_metrics_csv",
    "create_chopped_dataset",
    "export_zarr_to_csv",
    "read_gt_csv",
    "read_pred_csv",
    "write_gt_csv",
    "write_pred_csv",
]
