#!/usr/bin/env bash
# What a pipeline runs on each commit: every FMU of one folder is examined, every case of another
# is run, and cases.xml (JUnit) says which number of which case is off.
#
#     bash pipeline.sh FMUS CASES
set -euo pipefail
fmus=$1
cases=$2
for fmu in "$fmus"/*.fmu; do
    # The description against the standard, and whether this machine can load it.
    fmpy validate "$fmu"
    wearfmu doctor "$fmu"
done
wearfmu validate "$cases"/*.toml --junit cases.xml
