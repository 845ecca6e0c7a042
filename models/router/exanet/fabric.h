// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers and links of a model partition: plain state machines on a timing wheel, inside one SystemC module.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/run/counters.h"
#include "cosim/run/packet_trace.h"
#include "models/exanet_router.h"
#include "models/link_transaction.h"
#include "models/packet_key.h"
#include "models/timing_wheel.h"

namespace fabrictwin {

/// Any number of routers joined by links. Ports that lead out of it (to a network interface or a cut link) have a pair
/// of TLM-2.0 sockets; see LinkExtension for what crosses them. Timed SystemC notifications would cost many times the
/// work of a router step, so the owner of the kernel calls process() whenever next_time() is the earliest thing to do,
/// before the kernel runs the processes of that time. Not thread-safe.
class Fabric : public sc_core::sc_module, public RouterLinks {
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
    Time latency;
    LinkCounters* counters = nullptr;  ///< Of the direction that leaves this port.
    int32_t channel = 0;               ///< The same; see SystemGraph.
  };
  struct RouterDescription {
    ExanetRouter::Config config;
    std::vector<PortLink> links;  ///< By port.
  };

  /// `packet_trace` is told of packets that leave routers, unless it is null; it calls them as packet_key() does with
  /// `hosts`.
  Fabric(const sc_core::sc_module_name& name, Clock clock, std::vector<RouterDescription> routers, int32_t externals,
         PacketTrace* packet_trace = nullptr, int32_t hosts = kAllDestinations);

  sc_core::sc_vector<In> in;    ///< What comes from outside.
  sc_core::sc_vector<Out> out;  ///< What goes outside.

  /// When a router next has something to do.
  Time next_time() const;
  /// Simulates the clock edge at next_time().
  void process();
  /// Router steps so far; readable from any thread.
  uint64_t events() const { return events_.get(); }
  int32_t routers() const { return static_cast<int32_t>(routers_.size()); }
  /// Words in the input buffers of a router.
  int64_t buffered_words(int32_t router) const { return routers_[router]->buffered_words(); }
  /// Brings the stall counters up to date.
  void update_counters();
  /// "router[3], port 1, VC 0: ..." once a packet broke the format; empty otherwise.
  const std::string& failure() const { return failure_; }

 private:
  void transmit(int32_t router, int32_t port, int64_t slot, uint8_t vc, uint8_t flags, const Word& word) override;
  void return_credit(int32_t router, int32_t port, int64_t cycle, uint8_t vc, uint8_t count) override;
  void receive(int external, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void wake(int32_t router, int64_t cycle);
  void follow(const PortLink& link, int64_t slot, const Word& header);

  struct External {
    int32_t router = 0;
    int32_t port = 0;
  };

  Clock clock_;
  PacketTrace* packet_trace_;
  int32_t hosts_;
  std::vector<std::unique_ptr<ExanetRouter>> routers_;
  std::vector<std::vector<PortLink>> links_;
  std::vector<External> externals_;
  std::vector<int64_t> wake_;  ///< By router: the cycle for which it is in the wheel.
  TimingWheel wheel_;
  LinkTransaction transaction_;
  Counter events_;
  std::string failure_;
};

}  // namespace fabrictwin
