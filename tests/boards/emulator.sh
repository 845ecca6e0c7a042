# shellcheck shell=bash disable=SC2154
# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Emulated machines with boards: sourced by the tests here, which set `name` (of the test), `command` (fabrictwin) and `scratch` (a folder, made anew).

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
board=$root/build/board-arm64
start=$SECONDS
emulator=        # Its process, which keep() knows of, too.
processes=()

fail() {
  echo "$name: $*" >&2
  exit 1
}
say() { echo "$((SECONDS - start)) s: $*"; }

# keep PID: a process that ends with the test.
keep() { processes+=("$1"); }
end_all() {
  if [[ ${#processes[@]} -gt 0 ]]; then kill -CONT "${processes[@]}" 2>/dev/null && kill "${processes[@]}" 2>/dev/null; fi
  wait 2>/dev/null || true
}
trap end_all EXIT

rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(readlink -f "$scratch")
cat >"$scratch/experiment.textproto" <<'END'
topology { torus { dims: 2 dims: 2 dims: 2 } }
workload { traffic { pattern: UNIFORM load: 0.3 payload: "256B" duration: "10us" } }
stop { at_workload_end: true }
seed: 1
END

# make_ram_disk ARCH KERNEL PROGRAM FILE [MODULE...]: a RAM disk for a kernel of arm64 or amd64, with busybox, the agent and its libraries, and kernel modules in the
# order in which they are loaded; a module may be followed by options. KERNEL is the folder with the packages of kernel and busybox.
make_ram_disk() {
  local guest=$2/root program=$3 file=$4 disk=$scratch/disk libraries triple loader kernel module todo library found
  local -A seen=()
  case $1 in
    arm64) libraries=$board/sysroot/root triple=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1 ;;
    amd64) libraries='' triple=x86_64-linux-gnu loader=lib64/ld-linux-x86-64.so.2 ;;
  esac
  shift 4
  rm -rf "$disk"
  mkdir -p "$disk"/{bin,dev,etc,proc,sys,lib64,"lib/$triple",lib/modules}
  cp "$guest/bin/busybox" "$disk/bin/"
  install -m 755 "$root/tests/boards/guest_init" "$disk/init"
  install -m 755 "$program" "$disk/bin/fabrictwin-board"
  kernel=$(echo "$guest"/lib/modules/*)
  for module in "$@"; do
    found=$(find "$kernel" -name "${module%% *}.ko")
    # Some kernels have it built in.
    if [[ -n $found ]]; then
      cp "$found" "$disk/lib/modules/"
      echo "${found##*/} ${module#"${module%% *}"}" >>"$disk/lib/modules/order"
    fi
  done
  todo=("$program")
  while [[ ${#todo[@]} -gt 0 ]]; do
    found=${todo[0]}
    todo=("${todo[@]:1}")
    while IFS= read -r library; do
      if [[ -v seen[$library] ]]; then continue; fi
      seen[$library]=yes
      for folder in "$libraries/lib/$triple" "$libraries/usr/lib/$triple"; do
        if [[ -e $folder/$library ]]; then
          cp -L "$folder/$library" "$disk/lib/$triple/"
          todo+=("$folder/$library")
          break
        fi
      done
    done < <(readelf -d "$found" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
  done
  cp -L "$libraries/$loader" "$disk/$loader"
  (cd "$disk" && find . | cpio -o -H newc --quiet | gzip -1) >"$file"
}

# free_port: a port of this host at which nobody listens now.
free_port() {
  local port
  for port in $(shuf -i 20000-32000 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  fail "no port is free"
}

# wait_for FILE TEXT PID: waits until FILE has TEXT; fails when the process ends first, or after five minutes, which is long for a machine that is busy.
wait_for() {
  local _
  for _ in $(seq 3000); do
    if grep -aqF "$2" "$1" 2>/dev/null; then return; fi
    if ! kill -0 "$3" 2>/dev/null; then
      tail -n 20 "$1" >&2
      fail "it ended before it said \"$2\" in $1"
    fi
    sleep 0.1
  done
  tail -n 20 "$1" >&2
  fail "it did not say \"$2\" in $1 within five minutes"
}

# start_shell WINDOW: a Verilated shell behind that window; its process is $shell.
start_shell() {
  "$command" board --shell --window "$1" 2>"$1.log" &
  shell=$!
  keep "$shell"
  for _ in $(seq 100); do
    if [[ -e $1 ]]; then return; fi
    kill -0 "$shell" 2>/dev/null || fail "the shell ended: $(<"$1.log")"
    sleep 0.1
  done
  fail "the shell made no window within ten seconds"
}

# start_emulator PROGRAM OPTION...: an emulated machine at whose console guest() speaks. Without KVM; one core, since threads of the agent that spin would keep the
# guest's other ones from running.
start_emulator() {
  mkfifo "$scratch/console"
  exec {console}<>"$scratch/console"
  "$@" -smp 1 -accel tcg,thread=multi -nographic -no-reboot <"$scratch/console" >"$scratch/guest.log" 2>&1 &
  emulator=$!
  keep "$emulator"
  wait_for "$scratch/guest.log" "guest ready" "$emulator"
}

# guest COMMAND: has the guest's shell do it and end; its exit code is `status`, what it printed `said`.
asked=0
guest() {
  local mark="command $((++asked)) ended with"
  guest_now "echo 'command $asked begins'; $*; echo \"$mark \$?.\""
  wait_for "$scratch/guest.log" "$mark" "$emulator"
  said=$(sed -n "/^command $asked begins/,/^$mark/p" "$scratch/guest.log" | tr -d '\r\0' | sed '1d;$d')
  status=$(grep -aoE "$mark [0-9]+\\." "$scratch/guest.log" | tail -n 1)
  status=${status##* }
  status=${status%.}
}
# guest_now COMMAND: does not wait.
guest_now() { echo "$*" >&"$console"; }

# refused STATUS TEXT COMMAND: what must fail in the guest.
refused() {
  local wanted=$1 text=$2
  shift 2
  guest "$@"
  [[ $status == "$wanted" && $said == *"$text"* ]] || fail "\"$*\" ended with $status instead of $wanted, without \"$text\": $said"
  say "refused: $text"
}

# digests OPTION...: the digests of a run.
digests() {
  timeout 120 "$command" run "$scratch/experiment.textproto" --quiet --json "$@" 2>"$scratch/run.log" | grep -oE '"(timing|payload)_digest": *"[0-9a-f]+"' || {
    cat "$scratch/run.log" >&2
    fail "there is no result of a run with $*"
  }
}

# check_digests WHAT OPTION...: they must be those of the routers in this process.
check_digests() {
  local what=$1 found
  shift
  : "${wanted:=$(digests --use "router[5,6]=RTL")}"
  found=$(digests "$@")
  [[ $found == "$wanted" ]] || fail "$what: $found, and here $wanted"
  say "the digests are equal: $what"
}

# register WINDOW OFFSET: a register of a shell.
register() { od -An -tu4 -j "$2" -N 4 "$1" | tr -d ' '; }

# begin_run WINDOW OPTION...: starts a run that does not end by itself, and returns when the board behind the window is in the midst of it.
begin_run() {
  local window=$1 before
  shift
  before=$(register "$window" 24)
  timeout 120 "$command" run "$scratch/experiment.textproto" --quiet --set workload.traffic.duration=1s "$@" >"$scratch/run.log" 2>&1 &
  caller=$!
  keep "$caller"
  for _ in $(seq 1200); do
    # status_run is another one, and `ended` says that edges were executed.
    if [[ $(register "$window" 24) != "$before" && $(register "$window" 24) != 0 && $(register "$window" 112) -gt 300 ]]; then return; fi
    kill -0 "$caller" 2>/dev/null || fail "the run ended: $(<"$scratch/run.log")"
    sleep 0.1
  done
  fail "the board did not come into the midst of the run within two minutes"
}

# ends_with PATTERN: the run that goes on must end with exit code 1 and that message.
ends_with() {
  local code=0
  wait "$caller" || code=$?
  if [[ $code -ne 1 ]] || ! grep -qE "$1" "$scratch/run.log"; then
    cat "$scratch/run.log" >&2
    fail "the run ended with $code, without \"$1\""
  fi
  say "named: $(grep -E -m 1 "$1" "$scratch/run.log")"
}
