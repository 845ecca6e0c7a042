# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# What scripts/mutate-rtl and scripts/coverage have in common: which test benches are for which sources, and how they are built with models of their own beside
# all that is in build/ci. Takes `work`, a folder for logs; sets `ci`.
shopt -s extglob
ci=$PWD/build/ci
[[ -e $ci/build.ninja ]] || cmake --preset ci >/dev/null
me=${0##*/}

# choose GLOB...: sets `groups`, lines of benches.tsv that fit some of these sources, with their sources (`sources_of`) and tests (`tests_of`).
declare -A sources_of=() tests_of=()
groups=()
choose() {
  local source module glob wanted pattern tests found
  while IFS= read -r source; do
    module=${source#rtl/}
    module=${module%.sv}
    wanted=0
    # shellcheck disable=SC2053  # They are patterns.
    for glob in "$@"; do if [[ $module == $glob ]]; then wanted=1; fi; done
    ((wanted)) || continue
    found=
    while IFS=$'\t' read -r pattern tests; do
      # shellcheck disable=SC2053
      if [[ -z $found && $module == $pattern ]]; then found=$pattern && tests_of[$pattern]=$tests; fi
    done < <(grep -v '^#' tests/rtl/mutants/benches.tsv)
    if [[ -z $found ]]; then
      echo "$me: no line of tests/rtl/mutants/benches.tsv fits $module" >&2
      exit 1
    fi
    [[ -v sources_of[$found] ]] || groups+=("$found")
    sources_of[$found]+="$source "
  done < <(git ls-files 'rtl/*.sv' | grep -vE '_registers_pkg[.]sv$|_shell[.]sv$')
  if [[ ${#groups[@]} -eq 0 ]]; then
    echo "$me: no source of rtl/ is called $*" >&2
    exit 2
  fi
}

# quietly LOG COMMAND...: its output, if it fails.
quietly() {
  local log=$work/$1.log
  shift
  "$@" >"$log" 2>&1 && return
  tail -n 30 "$log" >&2
  echo "$me: '$*' failed; the whole log is $log" >&2
  exit 1
}

# make_in FOLDER TARGET...: builds in a folder that CMake has configured. Ninja would at first renew its own file, for which it would run Verilator for all
# models of which a source has changed; it does not know that this is the same.
make_in() {
  ln -sf build.ninja "$1/benches.ninja"
  ninja -C "$1" -f benches.ninja "${@:2}"
}

# models_of TEST...: the Verilated models in these programs, as "target folder".
models_of() {
  local inputs
  inputs=$(ninja -C "$ci" -t inputs "${@/#/tests/}")
  sed -nE 's|^(.*)/CMakeFiles/([^/]*)[.]dir/V[^/]*[.]dir/V[^/]*[.]cmake$|\2 \1|p' <<<"$inputs" | sort -u
}

# build FOLDER OPTION MODELS TEST...: builds the tests with these models, a list with semicolons, made in FOLDER; all others are those of build/ci.
build() {
  local folder=$1 option=$2 models=$3 others=(fabrictwin_verilator) model
  shift 3
  quietly configure cmake --preset ci -B "$folder" -DFABRICTWIN_VERILATED_FROM="$ci" -DFABRICTWIN_OWN_MODELS="$models" "$option"
  while read -r model _; do
    if [[ ";$models;" != *";$model;"* ]]; then others+=("$model"); fi
  done < <(models_of "$@")
  quietly ci make_in "$ci" "${others[@]}"
  quietly build make_in "$folder" "${@/#/tests/}"
}

# filter_of TEST: what ctest leaves of it in the stage rtl, as an option of GoogleTest.
filter_of() {
  [[ -s $work/ctest.json ]] || ctest --test-dir "$ci" --show-only=json-v1 >"$work/ctest.json"
  jq -r --arg name "$1" '.tests[] | select(.name == $name) | .command[] | select(startswith("--gtest_filter="))' "$work/ctest.json"
}
