// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A Verilated NaNet-10 as a partition: converts records to frames, registers and memory accesses at its pins, and back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/engine/partition.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "rtl/nanet/device/device.h"
#include "rtl/nanet/element/pcie_port.h"
#include "rtl/nanet/element/wire.h"

namespace fabrictwin::rtl::nanet::element {

/// The port of the computer comes after those of Ethernet.
struct Config {
  struct Port {
    link::ChannelSender* sender = nullptr;
    link::ChannelReceiver* receiver = nullptr;
    link::LinkCounters* counters = nullptr;  ///< They count the sending direction; may be null.
  };
  std::string name;         ///< "nanet".
  std::vector<Port> lines;  ///< 1 to kPorts. What they point to outlives the element.
  Port computer;
  std::array<PciePort::Rates, 2> memories;  ///< Those of CPU and GPU.
};

/// docs/models/nanet.md is the contract. The clocks of the device and of the MACs have an edge at time 0. What arrives
/// takes effect at the first edge at or after its arrival. The result does not depend on how a run is divided into
/// calls of advance().
class Element : public engine::Partition {
 public:
  /// InvalidArgument if the ports are not those of a card.
  static absl::StatusOr<std::unique_ptr<Element>> create(const Config& config);

  absl::Status advance(Time until) override;
  Time next_event() const override { return time_of(device_.next_ns()); }
  /// Clock edges evaluated.
  uint64_t events() const override { return edges_.get(); }
  std::vector<std::string> waits() const override;

 private:
  struct Line {
    Config::Port port;
    WireReader reader;
  };
  explicit Element(const Config& config);

  Time time_of(double device_ns) const;
  absl::Status take_arrivals(Time until);
  absl::Status take_line(int port, const link::Record& record);
  absl::Status take_computer(const link::Record& record);
  absl::Status broken(const Config::Port& port, Time time, const absl::Status& what) const;
  void send_word(int port, const Beat& beat, int64_t cycle);
  void send_computer(const link::HostMessage& message);
  void answer_register(const link::HostMessage& access);

  Config config_;
  std::array<PciePort, 2> memories_;
  Device device_;
  std::vector<Line> lines_;
  int64_t first_ps_ = 0;                                         ///< Time 0 of the run as time of the device.
  std::vector<int64_t> mac_zero_;                                ///< The cycle of each MAC at time 0.
  std::array<bool, kPorts> first_word_{true, true, true, true};  ///< The next word that a port sends begins a frame.
  Time now_;                                                     ///< When the edge is that is evaluated.
  bool interrupt_ = false;
  size_t accesses_ = 0;  ///< To registers, that have not ended.
  link::Counter edges_;
};

}  // namespace fabrictwin::rtl::nanet::element
