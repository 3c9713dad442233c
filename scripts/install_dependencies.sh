#!/bin/sh
# Installs those Debian 12 packages that safnet needs and that are missing; returns at once if none is.
#
# Usage: install_dependencies.sh [--coverage | --explore | --fuzz | --library | --prove | --tests]
#   --coverage what `make coverage` needs: what tests need, and lcov
#   --explore  also what `safnet explore` and synthesis need
#   --fuzz     also what `make fuzz` needs
#   --library  also what `make install-python` and `make reference` need
#   --prove    also what `make prove` needs
#   --tests    also what only `make test` needs
set -eu

packages="g++ make verilator gtkwave zlib1g-dev libcli11-dev libfmt-dev libboost-graph-dev graphviz nlohmann-json3-dev libsystemc-dev libcadical-dev libyaml-cpp-dev libjs-chart.js"
wanted=${1:-}
[ "$wanted" != --coverage ] || { packages="$packages lcov"; wanted=--tests; }
case $wanted in --explore | --tests) packages="$packages yosys qflow-tech-osu018 opensta nextpnr-ice40 python3 snakemake python3-optuna python3-scipy" ;; esac
case $wanted in --prove | --tests) packages="$packages yosys z3 cadical python3" ;; esac
case $wanted in --library | --tests) packages="$packages doxygen pkgconf pybind11-dev python3-dev python3-numpy" ;; esac
[ "$wanted" != --fuzz ] || packages="$packages clang-16 libclang-rt-16-dev"
[ "$wanted" != --tests ] || packages="$packages iverilog python3-networkx python3-matplotlib python3-yaml slurm-wlm munge python3-pytest python3-pytest-xdist python3-protobuf protobuf-compiler catch2 chromium chromium-driver python3-selenium zsh"
missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "install as root:$missing" >&2; exit 1; }
    as_root=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
