// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers and links of a model partition: plain state machines on a timing wheel, inside one SystemC module.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/link/counters.h"
#include "cosim/observe/packet_trace.h"
#include "models/fabric/fabric.h"
#include "models/kernel/input_meter.h"
#include "models/kernel/link_transaction.h"
#include "models/kernel/timing_wheel.h"
#include "models/nic/packet_key.h"
#include "models/router/exanet/router.h"

namespace fabrictwin::router::exanet {

/// Any number of routers joined by links. External ports (to a network interface or a cut link) have a pair of TLM-2.0
/// sockets; see LinkExtension for what crosses them. Timed SystemC notifications would cost many times the work of a
/// router step, so the owner of the kernel calls run() whenever next_time() is the earliest event, before the kernel
/// runs the processes of that time. Not thread-safe.
class Fabric final : public sc_core::sc_module, public fabric::Fabric, private RouterLinks {
 public:
  using In = tlm_utils::simple_target_socket_tagged<Fabric>;
  using Out = tlm_utils::simple_initiator_socket_tagged<Fabric>;

  /// How a router's port is connected.
  struct PortLink {
    enum class Kind : uint8_t { kNone, kInternal, kExternal };
    Kind kind = Kind::kNone;
    int32_t router = 0;  ///< kInternal: the neighbour, by position in `routers`, and its port.
    int32_t port = 0;
    int32_t external = 0;  ///< kExternal: index into `in` and `out`.
    Clock word_clock{Frequency{1}};
    Time latency;                            ///< Of words and credits that leave here,
    Time arrival_latency;                    ///< kExternal: and of those that come.
    link::LinkCounters* counters = nullptr;  ///< Counters of the direction that leaves this port.
    int32_t channel = 0;                     ///< Channel of the direction that leaves this port; see SystemGraph.
  };
  struct RouterDescription {
    Router::Config config;
    std::vector<PortLink> links;  ///< By port.
    uint32_t first_port = 0;      ///< The number of its port 0 among the inputs that count_inputs() counts.
  };

  /// `packet_trace`, if not null, records the packets that leave routers, with the keys of packet_key() for `hosts`.
  Fabric(const sc_core::sc_module_name& name, Clock clock, std::vector<RouterDescription> routers, int32_t externals,
         observe::PacketTrace* packet_trace = nullptr, int32_t hosts = nic::kAllDestinations);

  sc_core::sc_vector<In> in;    ///< Arrivals from outside.
  sc_core::sc_vector<Out> out;  ///< Departures to the outside.

  Time next_time() const override;
  void run(Time until) override;
  bool failed() const override { return !failure_.empty(); }
  /// "at 4.2 us: router[3], port 1, VC 0: ..." once a packet has broken the format.
  fabric::EarliestFailure failure() const override { return failure_; }
  /// Brings the stall counters up to date; the others always are, and all are those of PortLink.
  void update_counters(Time time, std::span<link::LinkCounters> counters) const override;
  /// Router steps so far; readable from any thread.
  uint64_t events() const override { return events_.get(); }
  int32_t routers() const override { return static_cast<int32_t>(routers_.size()); }
  int64_t buffer_capacity() const override { return capacity_; }
  observe::BufferFill buffer_fill() const override;
  /// Counts from now on what waits in the inputs of routers, whose numbers are below `inputs`.
  void count_inputs(size_t inputs) { input_meter_ = std::make_unique<kernel::InputMeter>(clock_, inputs); }
  /// What has waited there, if that is counted, otherwise null.
  const kernel::InputMeter* input_meter() const { return input_meter_.get(); }

 private:
  /// Simulates the clock edge at next_time().
  void process();
  void transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const link::Word& word) override;
  void return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) override;
  void receive(int external, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void wake(int32_t router, int64_t cycle);
  void meter_inputs(int32_t router, int64_t cycle);
  void follow(const PortLink& link, int64_t slot, const link::Word& header);

  struct External {
    int32_t router = 0;
    int32_t port = 0;
  };

  Clock clock_;
  observe::PacketTrace* packet_trace_;
  int32_t hosts_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::vector<std::vector<PortLink>> links_;
  std::vector<uint32_t> first_ports_;  ///< By router.
  std::vector<External> externals_;
  std::vector<int64_t> wake_;  ///< By router: the cycle for which it is in the timing wheel.
  kernel::TimingWheel wheel_;
  kernel::LinkTransaction transaction_;
  link::Counter events_;
  std::unique_ptr<kernel::InputMeter> input_meter_;
  int64_t capacity_ = 0;
  fabric::EarliestFailure failure_;
};

}  // namespace fabrictwin::router::exanet
