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
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "VRouterShell.h"
#include "absl/status/statusor.h"
#include "bridges/board/shell/ring_memory.h"
#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "cosim/link/counters.h"
#include "fmt/format.h"
#include "rtl/external/shell.h"
#include "rtl/shell/shell_registers.h"
#include "rtl/transactor/external/library.h"
#include "rtl/transactor/shell/axi_memory.h"
#include "rtl/transactor/shell/register_mirror.h"
#include "rtl/transactor/single_thread_context.h"

namespace fabrictwin::rtl::shell {
namespace {

using SteadyClock = std::chrono::steady_clock;
using bridges::board::shell::kHostFileSuffix;
using bridges::board::shell::kHostRingAddress;
using bridges::board::shell::kHostRingBytes;

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
/// Cycles in which all registers of a shell have been read many times.
constexpr int kRegisterPatience = 100'000;

/// What both sides map: a file of its own, or a part of one that is there. Unmaps on destruction.
class MemoryFile {
 public:
  static absl::StatusOr<std::unique_ptr<MemoryFile>> open(const std::string& name, size_t bytes) {
    const size_t at = name.rfind('@');
    return at == std::string::npos ? create(name, bytes)
                                   : take_part(name, name.substr(0, at), name.substr(at + 1), bytes);
  }
  ~MemoryFile() {
    munmap(base_, bytes_);
    if (!fresh_.empty()) unlink(fresh_.c_str());
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::span<std::byte> memory() const { return {static_cast<std::byte*>(base_), bytes_}; }
  /// Gives a file of its own its name, under which an agent finds it.
  absl::Status show() {
    if (fresh_.empty()) return absl::OkStatus();
    if (rename(fresh_.c_str(), name_.c_str()) != 0)
      return absl::UnavailableError(fmt::format("{}: cannot put the window there: {}", name_, std::strerror(errno)));
    fresh_.clear();
    return absl::OkStatus();
  }

 private:
  MemoryFile(std::string name, std::string fresh, void* base, size_t bytes)
      : name_(std::move(name)), fresh_(std::move(fresh)), base_(base), bytes_(bytes) {}

  static absl::Status failure(const std::string& name, const std::string& what) {
    return absl::UnavailableError(fmt::format("{}: {}: {}", name, what, std::strerror(errno)));
  }
  static absl::StatusOr<std::unique_ptr<MemoryFile>> create(const std::string& name, size_t bytes) {
    const std::string fresh = fmt::format("{}.{}", name, getpid());
    const int fd = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return failure(name, "cannot make the window");
    void* base = MAP_FAILED;
    if (ftruncate(fd, static_cast<off_t>(bytes)) == 0)
      base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (base == MAP_FAILED) {
      const absl::Status status = failure(name, "cannot map the window");
      unlink(fresh.c_str());
      return status;
    }
    return std::unique_ptr<MemoryFile>(new MemoryFile(name, fresh, base, bytes));
  }
  static absl::StatusOr<std::unique_ptr<MemoryFile>> take_part(const std::string& name, const std::string& path,
                                                               const std::string& text, size_t bytes) {
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
    const bool inside = fstat(fd, &status) == 0 && static_cast<uint64_t>(status.st_size) >= offset + bytes;
    void* base =
        inside ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset)) : MAP_FAILED;
    close(fd);
    if (!inside) {
      return absl::InvalidArgumentError(fmt::format("{}: the file has {} bytes, and a {} takes {}", name,
                                                    status.st_size,
                                                    bytes == kWindowBytes ? "window" : "ring of the host", bytes));
    }
    if (base == MAP_FAILED) return failure(name, "cannot map the window");
    std::memset(base, 0, bytes);
    return std::unique_ptr<MemoryFile>(new MemoryFile(name, "", base, bytes));
  }

  std::string name_;
  std::string fresh_;  ///< The name of a file of its own until it is shown; else empty.
  void* base_;
  size_t bytes_;
};

/// The shell of an ExaNet router, which is built in.
class RouterShell {
 public:
  ~RouterShell() { pins.final(); }
  void clock() {
    pins.clk_i = 0;
    pins.eval();
    pins.clk_i = 1;
    pins.eval();
  }

 private:
  SingleThreadContext context_;

 public:
  VRouterShell pins{&context_, "shell"};
};

/// That of a user's router.
class LibraryShell {
 public:
  explicit LibraryShell(std::unique_ptr<external::Shell> shell) : shell_(std::move(shell)) {}
  void clock() { shell_->clock(pins); }

  external::ShellPins pins;

 private:
  std::unique_ptr<external::Shell> shell_;
};

/// A Verilated shell with what is at its two buses.
class Fpga {
 public:
  virtual ~Fpga() = default;
  virtual void cycle() = 0;
  /// Lets the shell reach more memory, at this address of its bus.
  virtual void add_memory(uint64_t address, std::span<std::byte> memory) = 0;
  /// All registers have been in the window once.
  virtual bool complete() const = 0;
  /// Grows whenever anything happens that a person or an agent would notice.
  virtual uint64_t activity() const = 0;

  // Any thread may call these.
  virtual uint64_t cycles() const = 0;
  virtual uint64_t runs() const = 0;
  virtual uint64_t records_in() const = 0;
  virtual uint64_t records_out() const = 0;
};

template <class Chip>
class VerilatedFpga final : public Fpga {
 public:
  template <class... Arguments>
  VerilatedFpga(std::span<std::byte> memory, uint32_t clock_hertz, Arguments&&... arguments)
      : chip_(std::forward<Arguments>(arguments)...),
        memory_(chip_.pins, memory),
        mirror_(chip_.pins, memory, clock_hertz) {
    chip_.pins.rst_ni = 0;
    for (int i = 0; i < kResetEdges; ++i) chip_.clock();
    chip_.pins.rst_ni = 1;
  }

  void cycle() override {
    memory_.sample();
    mirror_.sample();
    chip_.clock();
    memory_.drive();
    mirror_.drive();
    cycles_.add(1);
  }
  void add_memory(uint64_t address, std::span<std::byte> memory) override { memory_.add(address, memory); }
  bool complete() const override { return mirror_.complete(); }
  uint64_t activity() const override { return memory_.writes() + mirror_.changes(); }
  uint64_t cycles() const override { return cycles_.get(); }
  uint64_t runs() const override { return mirror_.runs().get(); }
  uint64_t records_in() const override { return memory_.slots_read().get(); }
  uint64_t records_out() const override { return memory_.slots_written().get(); }

 private:
  using Pins = decltype(Chip::pins);

  Chip chip_;
  AxiMemory<Pins> memory_;
  RegisterMirror<Pins> mirror_;
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

/// Whether the shell of a library is one, and has its rings where the window has them.
absl::Status check_registers(const std::string& library, const Fpga& fpga, std::span<const std::byte> memory) {
  const auto at = [memory](uint32_t offset) {
    uint32_t value = 0;
    std::memcpy(&value, memory.data() + offset, sizeof value);
    return value;
  };
  if (!fpga.complete() || at(registers::kIdentificationOffset) != registers::kIdentificationReset) {
    return absl::InvalidArgumentError(
        fmt::format("{}: does not answer as a shell does; its top must be external_router_shell", library));
  }
  const uint32_t slots = at(registers::kShapeOffset) >> registers::kShapeSlotsLow & 0xff;
  if (at(registers::kRingOffsetOffset) != kRingOffset || at(registers::kToBoardLowOffset) != kRingOffset ||
      size_t{64} << slots > kRingBytes) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: its rings of 2^{} slots are at {:#x} of its window and {:#x} of its bus; verilate it with "
        "-GRingOffset={} -GRingAddress={} and at most -GSlotsLog2=8",
        library, slots, at(registers::kRingOffsetOffset), at(registers::kToBoardLowOffset), kRingOffset, kRingOffset));
  }
  return absl::OkStatus();
}

/// The memory of the host that the shell reaches, too; null if there is none.
absl::StatusOr<std::unique_ptr<MemoryFile>> open_host_memory(const BoardOptions& options) {
  if (!options.host_memory.has_value()) return nullptr;
  const uint64_t address = *options.host_memory;
  if (address < kWindowBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: memory of the host at {:#x} would be in the window, which ends at {:#x}", options.window,
                    address, kWindowBytes));
  }
  const size_t at = options.window.rfind('@');
  if (at != std::string::npos)
    return MemoryFile::open(fmt::format("{}{:#x}", options.window.substr(0, at + 1), address), kHostRingBytes);
  if (address != kHostRingAddress) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: agents expect the memory of {}{} at {:#x}, and not at {:#x}; only that of a part of a file may "
        "be elsewhere",
        options.window, options.window, kHostFileSuffix, kHostRingAddress, address));
  }
  return MemoryFile::open(options.window + kHostFileSuffix, kHostRingBytes);
}

absl::Status serve_window(const BoardOptions& options) {
  if (options.parent_pid != 0) {
    if (absl::Status status = bridges::server::end_with_parent(options.parent_pid); !status.ok()) return status;
  }
  absl::StatusOr<std::unique_ptr<MemoryFile>> window = MemoryFile::open(options.window, kWindowBytes);
  if (!window.ok()) return window.status();
  absl::StatusOr<std::unique_ptr<MemoryFile>> host = open_host_memory(options);
  if (!host.ok()) return host.status();
  const std::span<std::byte> memory = (*window)->memory();
  std::unique_ptr<Fpga> made;
  if (options.library.empty()) {
    made = std::make_unique<VerilatedFpga<RouterShell>>(memory, options.clock_hertz);
  } else {
    absl::StatusOr<std::unique_ptr<external::Shell>> shell = external::make_shell(options.library);
    if (!shell.ok()) return shell.status();
    made = std::make_unique<VerilatedFpga<LibraryShell>>(memory, options.clock_hertz, *std::move(shell));
  }
  Fpga& fpga = *made;
  for (int i = 0; !fpga.complete() && i < kRegisterPatience; ++i) fpga.cycle();
  if (absl::Status status = check_registers(options.library.empty() ? "the shell" : options.library, fpga, memory);
      !status.ok())
    return status;
  if (*host != nullptr) {
    fpga.add_memory(*options.host_memory, (*host)->memory());
    if (absl::Status status = (*host)->show(); !status.ok()) return status;
  }
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

}  // namespace

absl::Status serve_board(const BoardOptions& options) {
  // What a library's shell throws.
  try {
    return serve_window(options);
  } catch (const std::exception& error) {
    return absl::InternalError(fmt::format("{}: the shell failed: {}", options.library, error.what()));
  } catch (...) {
    return absl::InternalError(fmt::format("{}: the shell failed and does not say why", options.library));
  }
}

}  // namespace fabrictwin::rtl::shell
