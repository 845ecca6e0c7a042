// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host of a node with the ExaNet network interface: its driver, and the network interface below it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/run/registry.h"
#include "models/host/host_interface.h"
#include "models/nic/exanet/driver/driver.h"
#include "models/nic/exanet/driver/register_ni.h"
#include "models/nic/exanet/ni.h"
#include "models/nic/exanet/node_timing.h"

namespace fabrictwin::nic::exanet::driver {

/// A driver over the model of the network interface, whose link leads to the model of the node's router, or over the
/// registers of the node's RTL, whose link is the host port. See docs/models/exanet-node.md.
class Host : public host::HostInterface {
 public:
  /// `host` is an element of kind kHost; `modelled` is false if its node is not a model. `nodes` (the address of each
  /// host) and `failure` outlive it. The clock and host latency of `timing` are not used.
  Host(const run::PartitionContext& context, const system::Element& host, bool modelled, const NodeTiming& timing,
       const std::vector<Node>& nodes, std::string* failure);

  sc_core::sc_export<host::HostPort>& host_port() override { return driver_->host; }
  void bind_endpoint(host::Endpoint* endpoint) override { driver_->bind_endpoint(endpoint); }
  tlm::tlm_initiator_socket<>& link_out(int32_t port) override;
  tlm::tlm_target_socket<>& link_in(int32_t port) override;
  uint64_t packets_received() const override { return driver_->packets_received(); }
  uint64_t payload_received() const override { return driver_->payload_received(); }
  host::ControlCounters control() const override;
  observe::Repeats repeats() const override;
  std::string waits_for() const override { return registers_ ? registers_->waits_for() : std::string(); }

  /// The link between a modelled network interface and its router, which are in one FPGA.
  static system::Link inner_link(const system::SystemGraph& graph, const NodeTiming& timing,
                                 const system::Element& logic, const system::Link& host_link);

 private:
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<Ni> model_;  ///< Null if `registers_` is used.
  std::unique_ptr<RegisterNi> registers_;
};

}  // namespace fabrictwin::nic::exanet::driver
