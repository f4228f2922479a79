#!/usr/bin/env bash
# Script for continuous integration: checks all FMUs of one folder, runs all cases of another, and
# writes cases.xml (JUnit) with the result of each expected value.
#
#     bash pipeline.sh FMUS CASES
set -euo pipefail
fmus=$1
cases=$2
for fmu in "$fmus"/*.fmu; do
    # Check the model description against the standard, and whether this machine can load the FMU.
    fmpy validate "$fmu"
    wearfmu doctor "$fmu"
done
wearfmu validate "$cases"/*.toml --junit cases.xml
