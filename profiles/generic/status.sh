#!/bin/sh
# What Snakemake asks about a job: `status.sh ID` prints running, success or failed.
if ! state=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>&1); then
    case $state in
        *"Invalid job id"*) echo failed ;; # Slurm no longer knows it
        *) echo running ;;                 # Slurm gave no answer: ask again, rather than start the job twice
    esac
    exit
fi
case $state in
    COMPLETED) echo success ;;
    BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT | "")
        echo failed
        ;;
    *) echo running ;;
esac
