# shellcheck shell=bash
# SPDX-FileCopyrightText: The FabricTwin authors
# SPDX-License-Identifier: Apache-2.0
#
# Emulated machines with a board: sourced by the tests here. Needs `root` (the project), `scratch` (a folder), `command` (fabrictwin) and `fail`.

board=$root/build/board-arm64

# make_ram_disk INIT FILE [MODULE...]: a RAM disk of busybox, the agent with its libraries, and kernel modules in the order in which they are loaded.
make_ram_disk() {
  local init=$1 file=$2 disk=$scratch/disk guest=$board/guest/root kernel module todo name found
  local -A seen=()
  shift 2
  rm -rf "$disk"
  mkdir -p "$disk"/{bin,dev,proc,sys,lib/aarch64-linux-gnu,lib/modules}
  cp "$guest/bin/busybox" "$disk/bin/"
  install -m 755 "$init" "$disk/init"
  # As it is installed from its package.
  dpkg-deb -x "$board"/fabrictwin-board_*_arm64.deb "$scratch/package"
  install -m 755 "$scratch/package/usr/bin/fabrictwin-board" "$disk/bin/"
  kernel=$(echo "$guest"/lib/modules/*)
  for module in "$@"; do
    found=$(find "$kernel" -name "$module.ko")
    # Some kernels have it built in.
    if [[ -n $found ]]; then
      cp "$found" "$disk/lib/modules/"
      echo "$module.ko" >>"$disk/lib/modules/order"
    fi
  done
  todo=("$board/fabrictwin-board")
  while [[ ${#todo[@]} -gt 0 ]]; do
    found=${todo[0]}
    todo=("${todo[@]:1}")
    while IFS= read -r name; do
      if [[ -v seen[$name] ]]; then continue; fi
      seen[$name]=yes
      for folder in lib/aarch64-linux-gnu usr/lib/aarch64-linux-gnu; do
        if [[ -e $board/sysroot/root/$folder/$name ]]; then
          cp -L "$board/sysroot/root/$folder/$name" "$disk/lib/aarch64-linux-gnu/"
          todo+=("$board/sysroot/root/$folder/$name")
          break
        fi
      done
    done < <(readelf -d "$found" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
  done
  cp -L "$board"/sysroot/root/lib/ld-linux-aarch64.so.1 "$disk/lib/"
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

# wait_for FILE TEXT PID: waits until FILE has TEXT; fails when the process ends first, or after two minutes.
wait_for() {
  local _
  for _ in $(seq 1200); do
    if grep -aqF "$2" "$1" 2>/dev/null; then return; fi
    if ! kill -0 "$3" 2>/dev/null; then
      tail -n 20 "$1" >&2
      fail "it ended before it said \"$2\" in $1"
    fi
    sleep 0.1
  done
  tail -n 20 "$1" >&2
  fail "it did not say \"$2\" in $1 within two minutes"
}

# digests OPTION...: the digests of a run.
digests() {
  timeout 120 "$command" run "$scratch/experiment.textproto" --quiet --json "$@" 2>"$scratch/run.log" | grep -oE '"(timing|payload)_digest": *"[0-9a-f]+"' || {
    cat "$scratch/run.log" >&2
    fail "there is no result of a run with $*"
  }
}
