// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board_window.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kChannels = size_t{kBoardPorts} * 2;

constexpr size_t aligned(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

size_t sync_offset() { return aligned(sizeof(BoardRegisters), kPage); }
size_t sync_bytes() { return SyncTable::bytes(2, kChannels); }
size_t rings_offset() { return aligned(sync_offset() + sync_bytes(), kPage); }
size_t ring_stride() { return aligned(ring_bytes(kDefaultRingSlots), 64); }
size_t window_bytes() { return aligned(rings_offset() + kChannels * ring_stride(), kPage); }

absl::Status failure(const std::string& path, const std::string& what) {
  return absl::UnavailableError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

absl::Status check_identity(const std::string& path, const BoardIdentity& identity) {
  if (identity.magic.load(std::memory_order_acquire) != kBoardMagic) {
    return absl::FailedPreconditionError(fmt::format("{}: is no board's memory window (wrong magic)", path));
  }
  if (identity.version != kBoardVersion) {
    return absl::FailedPreconditionError(fmt::format("{}: the board has window version {}, this agent speaks {}", path,
                                                     identity.version, kBoardVersion));
  }
  if (identity.element_type < kBoardExanetRouter || identity.element_type > kBoardAny ||
      identity.ports != kBoardPorts) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the board holds an element of type {} with {} ports; known are types {} to {} with {}", path,
                    identity.element_type, identity.ports, kBoardExanetRouter, kBoardAny, kBoardPorts));
  }
  if (identity.window_bytes != window_bytes() || identity.sync_offset != sync_offset() ||
      identity.rings_offset != rings_offset() || identity.ring_bytes != ring_stride() ||
      identity.ring_slots != kDefaultRingSlots) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the window is laid out otherwise than version {} says", path, kBoardVersion));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<BoardWindow>> BoardWindow::create(const std::string& path) {
  // A fresh file under the old name: who still maps the old one is not disturbed.
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  const int fd = open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return failure(fresh, "cannot make the window");
  void* base = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(window_bytes())) == 0) {
    base = mmap(nullptr, window_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (base == MAP_FAILED) {
    const absl::Status status = failure(fresh, "cannot map the window");
    close(fd);
    unlink(fresh.c_str());
    return status;
  }
  std::unique_ptr<BoardWindow> window(new BoardWindow(base, window_bytes(), fd));
  BoardRegisters& registers = window->registers();
  registers.identity.version = kBoardVersion;
  registers.identity.element_type = kBoardAny;
  registers.identity.ports = kBoardPorts;
  registers.identity.ring_slots = kDefaultRingSlots;
  registers.identity.window_bytes = window_bytes();
  registers.identity.sync_offset = sync_offset();
  registers.identity.rings_offset = rings_offset();
  registers.identity.ring_bytes = ring_stride();
  registers.status.pid.store(getpid(), std::memory_order_relaxed);
  window->reset();
  registers.identity.magic.store(kBoardMagic, std::memory_order_release);
  if (rename(fresh.c_str(), path.c_str()) != 0) {
    const absl::Status status = failure(path, "cannot put the window there");
    unlink(fresh.c_str());
    return status;
  }
  return window;
}

absl::StatusOr<std::unique_ptr<BoardWindow>> BoardWindow::attach(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return absl::NotFoundError(fmt::format("{}: cannot open the board's window: {}", path, std::strerror(errno)));
  struct stat status {};
  const bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && static_cast<size_t>(status.st_size) < window_bytes()) {
    close(fd);
    return absl::FailedPreconditionError(
        fmt::format("{}: is no board's memory window: {} bytes instead of {}", path, status.st_size, window_bytes()));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return absl::FailedPreconditionError(fmt::format("{}: the board already has an agent", path));
  }
  void* base = mmap(nullptr, window_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) {
    const absl::Status error = failure(path, "cannot map the board's window");
    close(fd);
    return error;
  }
  std::unique_ptr<BoardWindow> window(new BoardWindow(base, window_bytes(), fd));
  if (absl::Status identity = check_identity(path, window->registers().identity); !identity.ok()) return identity;
  return window;
}

BoardWindow::~BoardWindow() {
  munmap(base_, size_);
  close(fd_);
}

RingMemory* BoardWindow::ring(int32_t port, bool to_board) {
  const size_t index = static_cast<size_t>(port) * 2 + (to_board ? 0 : 1);
  return reinterpret_cast<RingMemory*>(base_ + rings_offset() + index * ring_stride());
}

void BoardWindow::reset() {
  std::memset(base_ + sync_offset(), 0, window_bytes() - sync_offset());
  for (int32_t port = 0; port < kBoardPorts; ++port) {
    initialize_ring(ring(port, true), kDefaultRingSlots);
    initialize_ring(ring(port, false), kDefaultRingSlots);
  }
  for (LinkCounters& counters : registers_->counters) {
    counters.words.set(0);
    counters.packets.set(0);
    counters.credit_stall_cycles.set(0);
  }
  BoardStatus& status = registers_->status;
  status.events.set(0);
  status.busy_ns.set(0);
  status.records_in.set(0);
  status.records_out.set(0);
  status.error[0] = '\0';
}

absl::StatusOr<std::vector<BoardChannel>> BoardWindow::channels() const {
  const BoardConfigRegisters& config = registers_->config;
  std::vector<BoardChannel> channels;
  for (int32_t port = 0; port < kBoardPorts; ++port) {
    const BoardPortRegisters& registers = config.ports[port];
    if (registers.enabled == 0) continue;
    if (registers.latency_fs <= 0 || registers.word_clock_numerator <= 0 || registers.word_clock_denominator <= 0) {
      return absl::InvalidArgumentError(fmt::format("port {} of the board has no latency or no word clock", port));
    }
    const Clock clock = Clock::from_period(registers.word_clock_numerator, registers.word_clock_denominator);
    const std::string name(config.name, strnlen(config.name, sizeof config.name));
    for (const bool to_board : {true, false}) {
      ChannelSpec spec{to_board ? registers.channel_to_board : registers.channel_from_board,
                       fmt::format("{} {} port {}", to_board ? "to" : "from", name, port),
                       Time::from_fs(registers.latency_fs), clock};
      channels.push_back({port, to_board, std::move(spec)});
    }
  }
  std::sort(channels.begin(), channels.end(), [](const auto& a, const auto& b) { return a.spec.id < b.spec.id; });
  return channels;
}

std::unique_ptr<SyncTable> BoardWindow::table(const std::vector<BoardChannel>& channels) {
  std::vector<SyncChannel> sync;
  for (const BoardChannel& channel : channels) {
    sync.push_back({static_cast<int32_t>(channel.spec.id), channel.to_board ? kRestPartition : kBoardPartition,
                    channel.to_board ? kBoardPartition : kRestPartition, channel.spec.latency});
  }
  return std::make_unique<SyncTable>(base_ + sync_offset(), 2, std::move(sync));
}

}  // namespace fabrictwin
