// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/shell/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "VRouterShell.h"
#include "absl/status/statusor.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "cosim/link/counters.h"
#include "fmt/format.h"
#include "rtl/shell/shell_registers.h"
#include "rtl/transactor/shell/axi_memory.h"
#include "rtl/transactor/shell/register_mirror.h"
#include "rtl/transactor/single_thread_context.h"

namespace fabrictwin::rtl::shell {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr uint32_t kPorts = 7;
/// As RingOffset and RingAddress of the Verilated shell: the window has its own address on the shell's bus.
constexpr size_t kRingOffset = 0x10000;
/// A power of two, as the size of a PCI BAR is, and with space for both rings.
constexpr size_t kWindowBytes = 0x20000;
constexpr size_t kRingBytes = size_t{256} * 64;
static_assert(kRingOffset + 2 * kRingBytes <= kWindowBytes);
constexpr int kResetEdges = 4;
/// Cycles between two looks at the world outside, and those without any change after which the board sleeps in between.
constexpr int kBatch = 128;
constexpr int kQuietBatches = 16;
constexpr std::chrono::microseconds kNap{20};
constexpr uint64_t kBatchesInASecond = 10'000;

/// What both sides map: a file of its own, or a part of one that is there. Unmaps on destruction.
class WindowFile {
 public:
  static absl::StatusOr<std::unique_ptr<WindowFile>> open(const std::string& name) {
    const size_t at = name.rfind('@');
    return at == std::string::npos ? create(name) : take_part(name, name.substr(0, at), name.substr(at + 1));
  }
  ~WindowFile() {
    munmap(base_, kWindowBytes);
    if (!fresh_.empty()) unlink(fresh_.c_str());
  }
  WindowFile(const WindowFile&) = delete;
  WindowFile& operator=(const WindowFile&) = delete;

  std::span<std::byte> memory() const { return {static_cast<std::byte*>(base_), kWindowBytes}; }
  /// Gives a file of its own its name, under which an agent finds it.
  absl::Status show() {
    if (fresh_.empty()) return absl::OkStatus();
    if (rename(fresh_.c_str(), name_.c_str()) != 0)
      return absl::UnavailableError(fmt::format("{}: cannot put the window there: {}", name_, std::strerror(errno)));
    fresh_.clear();
    return absl::OkStatus();
  }

 private:
  WindowFile(std::string name, std::string fresh, void* base)
      : name_(std::move(name)), fresh_(std::move(fresh)), base_(base) {}

  static absl::Status failure(const std::string& name, const std::string& what) {
    return absl::UnavailableError(fmt::format("{}: {}: {}", name, what, std::strerror(errno)));
  }
  static absl::StatusOr<std::unique_ptr<WindowFile>> create(const std::string& name) {
    const std::string fresh = fmt::format("{}.{}", name, getpid());
    const int fd = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return failure(name, "cannot make the window");
    void* base = MAP_FAILED;
    if (ftruncate(fd, kWindowBytes) == 0) base = mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (base == MAP_FAILED) {
      const absl::Status status = failure(name, "cannot map the window");
      unlink(fresh.c_str());
      return status;
    }
    return std::unique_ptr<WindowFile>(new WindowFile(name, fresh, base));
  }
  static absl::StatusOr<std::unique_ptr<WindowFile>> take_part(const std::string& name, const std::string& path,
                                                               const std::string& text) {
    uint64_t offset = 0;
    const bool hex = text.starts_with("0x");
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + (hex ? 2 : 0), end, offset, hex ? 16 : 10);
    if (error != std::errc() || rest != end || offset % static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) != 0) {
      return absl::InvalidArgumentError(
          fmt::format("{}: what follows @ must be an offset in bytes at which a page of the file begins", name));
    }
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) return failure(name, "cannot open the file");
    struct stat status {};
    const bool inside = fstat(fd, &status) == 0 && static_cast<uint64_t>(status.st_size) >= offset + kWindowBytes;
    void* base = inside
                     ? mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset))
                     : MAP_FAILED;
    close(fd);
    if (!inside) {
      return absl::InvalidArgumentError(
          fmt::format("{}: the file has {} bytes, and a window takes {}", name, status.st_size, kWindowBytes));
    }
    if (base == MAP_FAILED) return failure(name, "cannot map the window");
    std::memset(base, 0, kWindowBytes);
    return std::unique_ptr<WindowFile>(new WindowFile(name, "", base));
  }

  std::string name_;
  std::string fresh_;  ///< The name of a file of its own until it is shown; else empty.
  void* base_;
};

/// The Verilated shell with what is at its two buses.
class Fpga {
 public:
  Fpga(std::span<std::byte> memory, uint32_t clock_hertz)
      : model_(&context_, "shell"), memory_(model_, memory), mirror_(model_, memory, kPorts, clock_hertz) {
    model_.rst_ni = 0;
    for (int i = 0; i < kResetEdges; ++i) clock();
    model_.rst_ni = 1;
  }
  ~Fpga() { model_.final(); }

  void cycle() {
    memory_.sample();
    mirror_.sample();
    clock();
    memory_.drive();
    mirror_.drive();
    cycles_.add(1);
  }
  bool complete() const { return mirror_.complete(); }
  /// Grows whenever anything happens that a person or an agent would notice.
  uint64_t activity() const { return memory_.writes() + mirror_.changes(); }

  // Any thread may call these.
  uint64_t cycles() const { return cycles_.get(); }
  uint64_t runs() const { return mirror_.runs().get(); }
  uint64_t records_in() const { return memory_.slots_read().get(); }
  uint64_t records_out() const { return memory_.slots_written().get(); }

 private:
  void clock() {
    model_.clk_i = 0;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
  }

  SingleThreadContext context_;
  VRouterShell model_;
  AxiMemory<VRouterShell> memory_;
  RegisterMirror<VRouterShell> mirror_;
  link::Counter cycles_;
};

/// The board that all threads see: its time, and what it does.
class Board {
 public:
  Board(Fpga& fpga, std::span<const std::byte> window) : fpga_(fpga), window_(window) {}

  /// Sleeps, and counts the time.
  template <class Sleep>
  void wait(Sleep sleep) {
    const SteadyClock::time_point before = SteadyClock::now();
    sleep();
    waited_ns_.add(static_cast<uint64_t>((SteadyClock::now() - before) / std::chrono::nanoseconds(1)));
  }

  bridges::server::ServiceState state() const {
    bridges::server::ServiceState state;
    state.runs = fpga_.runs();
    const auto* const status_run = reinterpret_cast<const uint32_t*>(window_.data() + registers::kStatusRunOffset);
    const uint32_t run = __atomic_load_n(status_run, __ATOMIC_ACQUIRE);
    // A board knows its runs by their numbers only.
    if (run != 0) state.run = fmt::format("{}", run);
    const double waited = static_cast<double>(waited_ns_.get()) * 1e-9;
    v1::PartitionReport& partition = *state.partitions.Add();
    partition.set_name("shell");
    partition.set_kind("BOARD");
    partition.set_events(fpga_.cycles());
    partition.set_busy_seconds(
        std::max(0.0, std::chrono::duration<double>(SteadyClock::now() - start_).count() - waited));
    partition.set_wait_seconds(waited);
    partition.set_records_in(fpga_.records_in());
    partition.set_records_out(fpga_.records_out());
    return state;
  }

 private:
  const Fpga& fpga_;
  std::span<const std::byte> window_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  link::Counter waited_ns_;
};

/// Keeps to the frequency in the long run: what a machine that is busy has missed is made up for.
void run_in_real_time(Fpga& fpga, Board& board, const BoardOptions& options) {
  const SteadyClock::time_point start = SteadyClock::now();
  const uint64_t batch = std::max<uint64_t>(1, options.clock_hertz / kBatchesInASecond);
  for (uint64_t cycles = batch; !options.stop.stop_requested(); cycles += batch) {
    for (uint64_t i = 0; i < batch; ++i) fpga.cycle();
    const std::chrono::duration<double> due(static_cast<double>(cycles) / options.clock_hertz);
    board.wait([&] { std::this_thread::sleep_until(start + std::chrono::duration_cast<SteadyClock::duration>(due)); });
  }
}

void run_fast(Fpga& fpga, Board& board, const BoardOptions& options) {
  int quiet = 0;
  uint64_t activity = fpga.activity();
  while (!options.stop.stop_requested()) {
    for (int i = 0; i < kBatch; ++i) fpga.cycle();
    quiet = fpga.activity() == activity ? quiet + 1 : 0;
    activity = fpga.activity();
    if (quiet >= kQuietBatches) board.wait([] { std::this_thread::sleep_for(kNap); });
  }
}

}  // namespace

absl::Status serve_board(const BoardOptions& options) {
  if (options.parent_pid != 0) {
    if (absl::Status status = bridges::server::end_with_parent(options.parent_pid); !status.ok()) return status;
  }
  absl::StatusOr<std::unique_ptr<WindowFile>> window = WindowFile::open(options.window);
  if (!window.ok()) return window.status();
  Fpga fpga((*window)->memory(), options.clock_hertz);
  while (!fpga.complete()) fpga.cycle();
  if (absl::Status status = (*window)->show(); !status.ok()) return status;
  if (options.ready_fd >= 0) bridges::server::say_ready(options.ready_fd, options.window);
  Board board(fpga, (*window)->memory());
  const bridges::server::MeasuredService measured(options.metrics, [&board] { return board.state(); });
  if (options.clock_hertz != 0) {
    run_in_real_time(fpga, board, options);
  } else {
    run_fast(fpga, board, options);
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::rtl::shell
