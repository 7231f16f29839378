"""Machine code of all kernels, compiled once before the fan-out."""

KERNELS = ancient(f"{RESULTS}/.kernels/warm.txt")


rule warm_kernels:
    output:
        f"{RESULTS}/.kernels/warm.txt",
    log:
        f"{RESULTS}/logs/warm_kernels.log",
    params:
        spec=lambda wildcards: SPECS.warm_kernels(),
    script:
        "../scripts/warm_kernels.py"
