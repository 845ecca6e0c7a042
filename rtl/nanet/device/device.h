// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated NaNet-10 with its MACs and memories, and a host that answers its misses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "rtl/nanet/device/mac_model.h"
#include "rtl/nanet/device/memory_model.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::rtl::nanet {

inline constexpr int kPorts = 4;
inline constexpr double kCycleNs = 5.0;     ///< Clock of the device: 200 MHz.
inline constexpr double kMacCycleNs = 6.4;  ///< Clock of the MACs: 156.25 MHz.

/// Where a virtual page is.
struct Page {
  uint64_t physical = 0;
  bool gpu = false;
};

/// The device, reset. Its registers are in nanet_registers.h. Used by one thread.
class Device {
 public:
  struct Options {
    MemoryModel::Timing cpu, gpu;
    double miss_ns = 2000;  ///< From a miss of the TLB to when the host looks at it.
    /// What is at the pins of the memories of CPU and GPU, and outlives the device. Null: a MemoryModel.
    std::array<MemoryPort*, 2> memories{};
  };
  explicit Device(const Options& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// One clock edge of the device or of the MACs, or of both.
  void step();
  void run_ns(double ns);
  /// Goes on until the next edge is one of both clocks.
  void align();
  /// The time of the next edge.
  double next_ns() const { return static_cast<double>(std::min(next_core_, next_mac_)) * 0.1; }
  double now_ns() const { return static_cast<double>(now_) * 0.1; }
  /// When the device's counter of cycles, which events have for a stamp, had this value for the first time.
  double time_of_ns(uint32_t cycle) const { return static_cast<double>(first_core_) * 0.1 + kCycleNs * cycle; }

  /// Access to a register, which takes some cycles. A write that the device refuses, or an address where nothing is,
  /// gives false or nothing.
  bool write(uint32_t offset, uint32_t value);
  std::optional<uint32_t> read(uint32_t offset);
  /// Begins an access, which comes after those that have begun; `done` is called at the edge that ends it.
  using Done = std::function<void(bool ok, uint32_t value)>;
  void start_write(uint32_t offset, uint32_t value, Done done);
  void start_read(uint32_t offset, Done done);
  /// The counter of a result of nanet_pkg.
  uint32_t counter(int port, int result);

  MacModel& mac(int port) { return macs_.at(static_cast<size_t>(port)); }
  MemoryModel& cpu() { return models_[0]; }
  MemoryModel& gpu() { return models_[1]; }
  /// The host knows where the virtual page at `address` is; without it a miss is answered as unknown.
  void map(uint64_t address, const Page& page) { pages_[address / kPageBytes] = page; }
  /// The host leaves misses unanswered.
  void ignore_misses(bool ignores) { ignores_misses_ = ignores; }
  bool interrupt() const;

 private:
  struct Access {
    bool write = false;
    uint32_t offset = 0;
    uint32_t value = 0;
    Done done;
  };
  void drive_mac_pins();
  void drive_memory_pins();
  void drive_register_pins();
  void sample_mac();
  void sample_memories();
  void sample_registers();
  void answer_misses();
  void look_up(uint32_t low, uint32_t high);
  /// Waits until the oldest accesses are done.
  void access(Access access);

  struct Model;  ///< The Verilated model, whose header is long.
  Options options_;
  std::unique_ptr<Model> model_;
  std::array<MacModel, kPorts> macs_;
  std::array<MemoryModel, 2> models_;
  std::array<MemoryPort*, 2> memories_;
  std::unordered_map<uint64_t, Page> pages_;
  std::deque<Access> accesses_;
  bool address_taken_ = false, data_taken_ = false;
  bool serving_miss_ = false, ignores_misses_ = false;
  double miss_since_ns_ = -1;
  int64_t now_ = 0, next_core_ = 0, next_mac_ = 0, first_core_ = 0;  ///< Tenths of nanoseconds.
};

}  // namespace fabrictwin::rtl::nanet
