// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/run_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "cosim/observe/digest.h"
#include "fmt/format.h"

namespace fabrictwin::run {
namespace {

constexpr uint64_t kMagic = 0x324e555254424146;  // "FABTRUN2"
constexpr size_t kLine = 64;

constexpr size_t aligned(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

struct Header {
  std::atomic<uint64_t> magic;
  uint64_t size;
  uint64_t plan;  ///< The fingerprint of the plan that defines the layout of the memory.
};

uint64_t fingerprint(const system::Plan& plan) {
  std::vector<uint64_t> values{plan.partitions.size(), plan.places.size()};
  for (int32_t channel : plan.cut_channels) {
    values.push_back(static_cast<uint64_t>(channel));
    values.push_back(static_cast<uint64_t>(plan.source_partition(channel)));
    values.push_back(static_cast<uint64_t>(plan.target_partition(channel)));
    values.push_back(static_cast<uint64_t>(plan.channel_link(channel).latency.fs()));
  }
  return observe::hash_values(values);
}

}  // namespace

std::vector<engine::SyncChannel> sync_channels(const system::Plan& plan) {
  std::vector<engine::SyncChannel> channels;
  for (int32_t channel : plan.cut_channels) {
    channels.push_back(
        {channel, plan.source_partition(channel), plan.target_partition(channel), plan.channel_link(channel).latency});
  }
  return channels;
}

link::ChannelSpec channel_spec(const system::Plan& plan, int32_t channel, const std::vector<bool>& sharing) {
  const system::Link& link = plan.channel_link(channel);
  const auto shares = [&](int32_t partition) {
    return static_cast<bool>(sharing[static_cast<size_t>(plan.partitions[static_cast<size_t>(partition)].place)]);
  };
  return {static_cast<uint32_t>(channel),
          plan.graph.channel_name(channel),
          link.latency,
          link.word_clock(),
          plan.link_type(channel),
          !shares(plan.source_partition(channel)) || !shares(plan.target_partition(channel))};
}

size_t RunMemory::size_for(const system::Plan& plan) {
  return aligned(sizeof(Header)) +
         aligned(engine::SyncTable::bytes(static_cast<int32_t>(plan.partitions.size()), plan.cut_channels.size())) +
         plan.places.size() * sizeof(link::Doorbell) +
         plan.cut_channels.size() * aligned(link::ring_bytes(link::kDefaultRingSlots));
}

absl::StatusOr<std::unique_ptr<RunMemory>> RunMemory::create_heap(const system::Plan& plan) {
  const size_t size = size_for(plan);
  // Anonymous pages are zero, aligned, and cost nothing until a ring is used.
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return absl::ResourceExhaustedError(fmt::format("no memory for the {} bytes of the run's rings", size));
  std::unique_ptr<RunMemory> memory(new RunMemory(static_cast<std::byte*>(base), size, -1, plan));
  for (size_t i = 0; i < plan.cut_channels.size(); ++i) link::initialize_ring(memory->ring(i), link::kDefaultRingSlots);
  return memory;
}

absl::StatusOr<std::unique_ptr<RunMemory>> RunMemory::create_shared(const system::Plan& plan) {
  const size_t size = size_for(plan);
  const int fd = memfd_create("fabrictwin-run", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return absl::ResourceExhaustedError(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  void* base = MAP_FAILED;
  // The memory is sealed, so that no peer can shrink it while others use it.
  if (ftruncate(fd, static_cast<off_t>(size)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (base == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return absl::ResourceExhaustedError(
        fmt::format("cannot map {} bytes of shared memory: {}", size, std::strerror(error)));
  }
  std::unique_ptr<RunMemory> memory(new RunMemory(static_cast<std::byte*>(base), size, fd, plan));
  for (size_t i = 0; i < plan.cut_channels.size(); ++i) link::initialize_ring(memory->ring(i), link::kDefaultRingSlots);
  auto* header = reinterpret_cast<Header*>(base);
  header->size = size;
  header->plan = fingerprint(plan);
  header->magic.store(kMagic, std::memory_order_release);
  return memory;
}

absl::StatusOr<std::unique_ptr<RunMemory>> RunMemory::attach(int fd, const system::Plan& plan) {
  const size_t size = size_for(plan);
  struct stat status {};
  if (fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) != size) {
    close(fd);
    return absl::FailedPreconditionError(
        fmt::format("the shared memory has {} bytes, the plan needs {}", status.st_size, size));
  }
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return absl::ResourceExhaustedError(fmt::format("cannot map the shared memory: {}", std::strerror(error)));
  }
  std::unique_ptr<RunMemory> memory(new RunMemory(static_cast<std::byte*>(base), size, fd, plan));
  const auto* header = reinterpret_cast<const Header*>(base);
  if (header->magic.load(std::memory_order_acquire) != kMagic || header->plan != fingerprint(plan)) {
    return absl::FailedPreconditionError("the shared memory was made for another plan or by another version");
  }
  return memory;
}

RunMemory::RunMemory(std::byte* base, size_t size, int fd, const system::Plan& plan)
    : base_(base), size_(size), fd_(fd) {
  const auto partitions = static_cast<int32_t>(plan.partitions.size());
  std::byte* table = base + aligned(sizeof(Header));
  table_ = std::make_unique<engine::SyncTable>(table, partitions, sync_channels(plan));
  doorbells_ = reinterpret_cast<link::Doorbell*>(
      table + aligned(engine::SyncTable::bytes(partitions, plan.cut_channels.size())));
  rings_ = reinterpret_cast<std::byte*>(doorbells_ + plan.places.size());
}

RunMemory::~RunMemory() {
  munmap(base_, size_);
  if (fd_ >= 0) close(fd_);
}

link::RingMemory* RunMemory::ring(size_t position) {
  return reinterpret_cast<link::RingMemory*>(rings_ + position * aligned(link::ring_bytes(link::kDefaultRingSlots)));
}

}  // namespace fabrictwin::run
