#!/bin/sh
# slurm_status - what has become of a job of Slurm, as Snakemake asks: running, success or failed. A job that Slurm has
# forgotten, after some minutes, has failed.
case $(scontrol show job -o "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p') in
  COMPLETED) echo success ;;
  PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | REQUEUED | RESIZING) echo running ;;
  *) echo failed ;;
esac
