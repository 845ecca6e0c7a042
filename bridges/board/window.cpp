// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/window.h"

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

namespace fabrictwin::bridges::board {
namespace {

constexpr size_t kPage = 4096;

constexpr size_t aligned(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

/// The layout of the window of a board with `ports` ports, in bytes from its beginning.
struct Layout {
  explicit Layout(int32_t ports)
      : channels(static_cast<size_t>(ports) * 2),
        sync(aligned(ports > kBoardBasePorts ? sizeof(Registers) : offsetof(Registers, wide), kPage)),
        rings(aligned(sync + engine::SyncTable::bytes(2, channels), kPage)),
        end(aligned(rings + channels * ring_stride, kPage)) {}
  size_t channels;
  size_t sync;
  size_t rings;
  size_t ring_stride = aligned(link::ring_bytes(link::kDefaultRingSlots), 64);
  size_t end;
};

absl::Status failure(const std::string& path, const std::string& what) {
  return absl::UnavailableError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

absl::Status check_identity(const std::string& path, const Identity& identity) {
  if (identity.magic.load(std::memory_order_acquire) != kBoardMagic) {
    return absl::FailedPreconditionError(fmt::format("{}: is no board's memory window (wrong magic)", path));
  }
  if (identity.version != kBoardVersion) {
    return absl::FailedPreconditionError(fmt::format("{}: the board has window version {}, this agent speaks {}", path,
                                                     identity.version, kBoardVersion));
  }
  if (identity.element_type < kBoardExanetRouter || identity.element_type > kBoardExternalRouter ||
      (identity.ports != kBoardBasePorts && identity.ports != kBoardPorts)) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: the board holds an element of type {} with {} ports; known are types {} to {} with {} or {}", path,
        identity.element_type, identity.ports, kBoardExanetRouter, kBoardExternalRouter, kBoardBasePorts, kBoardPorts));
  }
  const Layout layout(static_cast<int32_t>(identity.ports));
  if (identity.window_bytes != layout.end || identity.sync_offset != layout.sync ||
      identity.rings_offset != layout.rings || identity.ring_bytes != layout.ring_stride ||
      identity.ring_slots != link::kDefaultRingSlots) {
    return absl::FailedPreconditionError(
        fmt::format("{}: the window is laid out otherwise than version {} says", path, kBoardVersion));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Window>> Window::make(const std::string& name, int fd, int32_t ports) {
  if (fd < 0) return failure(name, "cannot make the window");
  const Layout layout(ports);
  void* base = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(layout.end)) == 0) {
    base = mmap(nullptr, layout.end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (base == MAP_FAILED) {
    const absl::Status status = failure(name, "cannot map the window");
    close(fd);
    return status;
  }
  std::unique_ptr<Window> window(new Window(name, base, ports, fd));
  Registers& registers = window->registers();
  registers.identity.version = kBoardVersion;
  registers.identity.element_type = kBoardAny;
  registers.identity.ports = static_cast<uint32_t>(ports);
  registers.identity.ring_slots = link::kDefaultRingSlots;
  registers.identity.window_bytes = layout.end;
  registers.identity.sync_offset = layout.sync;
  registers.identity.rings_offset = layout.rings;
  registers.identity.ring_bytes = layout.ring_stride;
  registers.status.pid.store(getpid(), std::memory_order_relaxed);
  window->reset();
  registers.identity.magic.store(kBoardMagic, std::memory_order_release);
  return window;
}

absl::StatusOr<std::unique_ptr<Window>> Window::create(const std::string& path, int32_t ports) {
  // A new file replaces the old name, so that processes which still map the old file are not disturbed.
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  absl::StatusOr<std::unique_ptr<Window>> window =
      make(fresh, open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ports);
  if (!window.ok()) {
    unlink(fresh.c_str());
    return window;
  }
  if (rename(fresh.c_str(), path.c_str()) != 0) {
    const absl::Status status = failure(path, "cannot put the window there");
    unlink(fresh.c_str());
    return status;
  }
  (*window)->name_ = path;
  return window;
}

absl::StatusOr<std::unique_ptr<Window>> Window::create_private(int32_t ports) {
  return make("memory", memfd_create("fabrictwin-board", MFD_CLOEXEC), ports);
}

absl::StatusOr<std::unique_ptr<Window>> Window::attach(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return absl::NotFoundError(fmt::format("{}: cannot open the board's window: {}", path, std::strerror(errno)));
  struct stat status {};
  const auto refuse = [fd](absl::Status error) {
    close(fd);
    return error;
  };
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    return refuse(absl::FailedPreconditionError(
        fmt::format("{}: is no regular file, and windows of soft boards are in files; give a device the window of a "
                    "shell (docs/models/shell.md)",
                    path)));
  }
  const auto too_short = [&](const Layout& layout) { return static_cast<size_t>(status.st_size) < layout.end; };
  const auto refuse_short = [&](const Layout& layout) {
    return refuse(absl::FailedPreconditionError(
        fmt::format("{}: is no board's memory window: {} bytes instead of {}", path, status.st_size, layout.end)));
  };
  if (const Layout least(kBoardBasePorts); too_short(least)) return refuse_short(least);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0)
    return refuse(absl::FailedPreconditionError(fmt::format("{}: the board already has an agent", path)));
  // The identity, mapped first, has the size of the window.
  void* base = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return refuse(failure(path, "cannot map the board's window"));
  const Identity& identity = *static_cast<const Identity*>(base);
  const absl::Status known = check_identity(path, identity);
  const auto ports = static_cast<int32_t>(identity.ports);
  munmap(base, kPage);
  if (!known.ok()) return refuse(known);
  const Layout layout(ports);
  if (too_short(layout)) return refuse_short(layout);
  base = mmap(nullptr, layout.end, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return refuse(failure(path, "cannot map the board's window"));
  return std::unique_ptr<Window>(new Window(path, base, ports, fd));
}

Window::~Window() {
  munmap(base_, Layout(ports_).end);
  close(fd_);
}

link::RingMemory* Window::ring(int32_t port, bool to_board) {
  const size_t index = static_cast<size_t>(port) * 2 + (to_board ? 0 : 1);
  const Layout layout(ports_);
  return reinterpret_cast<link::RingMemory*>(base_ + layout.rings + index * layout.ring_stride);
}

PortRegisters& Window::port(int32_t port) const {
  return port < kBoardBasePorts ? registers_->config.ports[port] : registers_->wide.ports[port - kBoardBasePorts];
}

link::LinkCounters& Window::counters(int32_t port) const {
  return port < kBoardBasePorts ? registers_->counters[port] : registers_->wide.counters[port - kBoardBasePorts];
}

void Window::clear_configuration() {
  std::memset(static_cast<void*>(&registers_->config), 0, sizeof registers_->config);
  if (ports_ == kBoardBasePorts) return;
  std::memset(static_cast<void*>(registers_->wide.ports), 0, sizeof registers_->wide.ports);
  std::memset(registers_->wide.routes, 0, sizeof registers_->wide.routes);
}

void Window::set_routes(std::span<const uint8_t> routes) {
  const std::span<const uint8_t> base = routes.first(std::min(routes.size(), board_routes(kBoardBasePorts)));
  std::copy(base.begin(), base.end(), registers_->config.routes);
  std::copy(routes.begin() + static_cast<ptrdiff_t>(base.size()), routes.end(), registers_->wide.routes);
  registers_->config.route_count = static_cast<uint32_t>(routes.size());
}

absl::StatusOr<std::vector<uint8_t>> Window::routes() const {
  const ConfigRegisters& config = registers_->config;
  const size_t count = config.route_count;
  if (count > board_routes(ports_))
    return absl::InvalidArgumentError("the board is told of more routes than it has space for");
  const size_t base = std::min(count, board_routes(kBoardBasePorts));
  std::vector<uint8_t> routes(config.routes, config.routes + base);
  routes.insert(routes.end(), registers_->wide.routes, registers_->wide.routes + (count - base));
  return routes;
}

void Window::reset() {
  const Layout layout(ports_);
  std::memset(base_ + layout.sync, 0, layout.end - layout.sync);
  for (int32_t port = 0; port < ports_; ++port) {
    link::initialize_ring(ring(port, true), link::kDefaultRingSlots);
    link::initialize_ring(ring(port, false), link::kDefaultRingSlots);
    link::LinkCounters& sent = counters(port);
    sent.words.set(0);
    sent.packets.set(0);
    sent.credit_stall_cycles.set(0);
  }
  Status& status = registers_->status;
  status.events.set(0);
  status.busy_ns.set(0);
  status.records_in.set(0);
  status.records_out.set(0);
  status.late.set(0);
  status.counts_repeats.store(0, std::memory_order_relaxed);
  status.repeated_messages.set(0);
  status.repeated_blocks.set(0);
  status.error[0] = '\0';
}

link::LinkType words_of(const ConfigRegisters& config) {
  if (config.element_type != kBoardExternalRouter) return {};
  return {.vcs = config.vcs, .word_bits = config.word_bits, .credit_words = config.credit_words};
}

absl::StatusOr<std::vector<Channel>> Window::channels() const {
  const ConfigRegisters& config = registers_->config;
  std::vector<Channel> channels;
  const link::LinkType words = words_of(config);
  if (words.vcs == 0 || words.word_bits == 0 || words.credit_words == 0)
    return absl::InvalidArgumentError("the board is not told what its links carry");
  for (int32_t port = 0; port < ports_; ++port) {
    const PortRegisters& registers = this->port(port);
    if (registers.enabled == 0) continue;
    if (registers.latency_fs <= 0 || registers.word_clock_numerator <= 0 || registers.word_clock_denominator <= 0) {
      return absl::InvalidArgumentError(fmt::format("port {} of the board has no latency or no word clock", port));
    }
    const Clock clock = Clock::from_period(registers.word_clock_numerator, registers.word_clock_denominator);
    const std::string name(config.name, strnlen(config.name, sizeof config.name));
    for (const bool to_board : {true, false}) {
      link::ChannelSpec spec{to_board ? registers.channel_to_board : registers.channel_from_board,
                             fmt::format("{} {} port {}", to_board ? "to" : "from", name, port),
                             Time::from_fs(registers.latency_fs), clock, words};
      channels.push_back({port, to_board, std::move(spec)});
    }
  }
  std::sort(channels.begin(), channels.end(), [](const auto& a, const auto& b) { return a.spec.id < b.spec.id; });
  return channels;
}

std::unique_ptr<engine::SyncTable> Window::table(const std::vector<Channel>& channels) {
  std::vector<engine::SyncChannel> sync;
  for (const Channel& channel : channels) {
    sync.push_back({static_cast<int32_t>(channel.spec.id), channel.to_board ? kRestPartition : kBoardPartition,
                    channel.to_board ? kBoardPartition : kRestPartition, channel.spec.latency});
  }
  return std::make_unique<engine::SyncTable>(base_ + Layout(ports_).sync, 2, std::move(sync));
}

}  // namespace fabrictwin::bridges::board
