// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/bus_guard.h"

#include <signal.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace fabrictwin::bridges::board::shell {
namespace {

/// What the handler reads while others write it: `bytes` is 0 while there is no mapping.
struct GuardedMapping {
  std::atomic<void*> begin{nullptr};
  std::atomic<size_t> bytes{0};
};

std::array<GuardedMapping, BusGuard::kMostGuards> guarded_mappings;
/// What handled the signal before; changed only while there is no handler of ours.
struct sigaction handled_before;
std::mutex guard_mutex;
size_t guard_count = 0;  ///< Guarded by guard_mutex.

/// Puts ones in the place of a mapping. They are filled in elsewhere and then moved there, since another thread may
/// read them at once. All calls are those of the kernel, which a handler may make.
bool replace_by_ones(void* place, size_t bytes) {
  void* ones = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ones == MAP_FAILED) return false;
  std::memset(ones, 0xff, bytes);
  return mremap(ones, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED;
}

bool replace_at(uintptr_t address) {
  for (const GuardedMapping& mapping : guarded_mappings) {
    const size_t bytes = mapping.bytes.load(std::memory_order_acquire);
    void* begin = mapping.begin.load(std::memory_order_relaxed);
    if (address - reinterpret_cast<uintptr_t>(begin) < bytes) return replace_by_ones(begin, bytes);
  }
  return false;
}

void pass_bus_error_on(int signal, siginfo_t* info, void* context) {
  if ((handled_before.sa_flags & SA_SIGINFO) != 0) return handled_before.sa_sigaction(signal, info, context);
  const bool sent = info->si_code <= 0;
  if (handled_before.sa_handler == SIG_IGN && sent) return;
  if (handled_before.sa_handler != SIG_DFL && handled_before.sa_handler != SIG_IGN)
    return handled_before.sa_handler(signal);
  // The access that failed is repeated, and ends the process. What somebody has sent must be sent once more.
  sigaction(SIGBUS, &handled_before, nullptr);
  if (sent) raise(SIGBUS);
}

void handle_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  // What a process has sent has no address.
  const bool access = info->si_code > 0;
  if (!access || !replace_at(reinterpret_cast<uintptr_t>(info->si_addr))) pass_bus_error_on(signal, info, context);
  errno = error;
}

}  // namespace

BusGuard::BusGuard(void* mapping, size_t bytes) : slot_(0) {
  const std::lock_guard lock(guard_mutex);
  while (slot_ < kMostGuards && guarded_mappings[slot_].bytes.load(std::memory_order_relaxed) != 0) ++slot_;
  if (slot_ == kMostGuards) return;
  guarded_mappings[slot_].begin.store(mapping, std::memory_order_relaxed);
  guarded_mappings[slot_].bytes.store(bytes, std::memory_order_release);
  if (guard_count++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, nullptr, &handled_before);
  sigaction(SIGBUS, &action, nullptr);
}

BusGuard::~BusGuard() {
  if (slot_ == kMostGuards) return;
  const std::lock_guard lock(guard_mutex);
  guarded_mappings[slot_].bytes.store(0, std::memory_order_release);
  if (--guard_count == 0) sigaction(SIGBUS, &handled_before, nullptr);
}

}  // namespace fabrictwin::bridges::board::shell
