// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/shell/device.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace fabrictwin::bridges::board::shell {
namespace {

constexpr size_t kLeastBytes = 0x1000;  ///< The registers.

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> Device::open(const std::string& name, RingMemory rings,
                                                     const SystemFolders& folders) {
  absl::StatusOr<WindowSource> source = WindowSource::open(name, rings, folders);
  if (!source.ok()) return source.status();
  if (source->bytes < kLeastBytes) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: is no board's memory window: {} bytes, and registers alone take {}", name, source->bytes, kLeastBytes));
  }
  void* mapping =
      mmap(nullptr, source->begin + source->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, source->fd, source->offset);
  if (mapping == MAP_FAILED)
    return absl::UnavailableError(fmt::format("{}: cannot map the board's window: {}", name, std::strerror(errno)));
  std::unique_ptr<Device> device(new Device(name, mapping, *std::move(source)));
  if (absl::Status status = device->add_host_memory(); !status.ok()) return status;
  return device;
}

absl::Status Device::add_host_memory() {
  if (!source_.host.has_value()) return absl::OkStatus();
  const HostMemory& host = *source_.host;
  void* mapping = mmap(nullptr, host.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, host.fd, host.offset);
  if (mapping == MAP_FAILED) {
    return absl::UnavailableError(
        fmt::format("{}: cannot map the memory for the ring from the board: {}", name_, std::strerror(errno)));
  }
  // Files of both belong to the window.
  WindowSource source;
  source.bytes = host.bytes;
  host_.reset(new Device(name_, mapping, std::move(source)));
  host_address_ = host.bus_address;
  return host.attach ? host.attach(mapping) : absl::OkStatus();
}

Device::Device(std::string name, void* mapping, WindowSource source)
    : name_(std::move(name)),
      source_(std::move(source)),
      mapping_(mapping),
      base_(static_cast<std::byte*>(mapping) + source_.begin) {
  guard_.emplace(mapping, source_.begin + source_.bytes);
}

Device::~Device() {
  // Something else may be mapped there afterwards.
  guard_.reset();
  munmap(mapping_, source_.begin + source_.bytes);
}

void Device::order_writes() {
#if defined(__x86_64__)
  _mm_sfence();
#elif defined(__aarch64__)
  // Device memory is in the outer shareable domain, which a fence of C++ does not reach.
  asm volatile("dmb oshst" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

void Device::order_reads() {
#if defined(__aarch64__)
  asm volatile("dmb oshld" ::: "memory");
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

}  // namespace fabrictwin::bridges::board::shell
