#!/bin/bash
# A job array that runs the tasks of batch work: each of 64 processes takes every 64th task.
#
#   python -m bevscope batch plan mask /shared/train.zarr -o /shared/mask.zarr
#   run=$(sbatch --parsable slurm.sh /shared/mask.zarr)
#   sbatch --dependency=afterok:$run --wrap "python -m bevscope batch commit /shared/mask.zarr"
#
# Repeat the second line if processes were lost: tasks with a result are not run again.
#SBATCH --job-name=bevscope
#SBATCH --array=0-63
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --requeue
set -euo pipefail

exec python -m bevscope batch run "${1:?path of the output}" \
	--share "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
