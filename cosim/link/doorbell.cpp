// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/doorbell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace fabrictwin::link {
namespace {

// The word may be shared between processes, so no FUTEX_PRIVATE_FLAG. An error (interrupted, value changed, timeout)
// only means that the caller checks again.
void futex(std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), operation, value, timeout, nullptr, 0);
}

}  // namespace

void Doorbell::sleep(uint32_t ticket, std::chrono::nanoseconds at_most) {
  const timespec timeout{.tv_sec = static_cast<time_t>(at_most.count() / 1'000'000'000),
                         .tv_nsec = static_cast<long>(at_most.count() % 1'000'000'000)};
  futex(sequence_, FUTEX_WAIT, ticket, &timeout);
}

void Doorbell::wake() {
  sequence_.fetch_add(1, std::memory_order_seq_cst);
  futex(sequence_, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace fabrictwin::link
