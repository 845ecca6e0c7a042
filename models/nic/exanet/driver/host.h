// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host of a node with the ExaNet network interface: its driver, and what the driver drives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/run/registry.h"
#include "models/exanet_driver.h"
#include "models/exanet_ni.h"
#include "models/host_interface.h"
#include "models/node_timing.h"
#include "models/register_ni.h"

namespace fabrictwin {

/// A driver over the model of the network interface, whose link leads to the model of the node's router, or over the
/// registers of the node's RTL, whose link is the host port. docs/models/exanet-node.md
class ExanetHost : public HostInterface {
 public:
  /// `host` is an element of kind kHost. Of a host whose node is not a model, `modelled` is false. `nodes` (the
  /// address of each host) and `failure` outlive it. The clock and host latency of `timing` do not count.
  ExanetHost(const PartitionContext& context, const Element& host, bool modelled, const NodeTiming& timing,
             const std::vector<NiNode>& nodes, std::string* failure);

  sc_core::sc_export<HostPort>& host_port() override { return driver_->host; }
  void bind_endpoint(Endpoint* endpoint) override { driver_->bind_endpoint(endpoint); }
  tlm::tlm_initiator_socket<>& link_out(int32_t port) override;
  tlm::tlm_target_socket<>& link_in(int32_t port) override;
  uint64_t packets_received() const override { return driver_->packets_received(); }
  uint64_t payload_received() const override { return driver_->payload_received(); }
  std::string waits_for() const override { return registers_ ? registers_->waits_for() : std::string(); }

  /// The link between a modelled network interface and its router, which are one FPGA.
  static Link inner_link(const SystemGraph& graph, const NodeTiming& timing, const Element& logic,
                         const Link& host_link);

 private:
  std::unique_ptr<ExanetDriver> driver_;
  std::unique_ptr<ExanetNi> model_;  ///< One of these two.
  std::unique_ptr<RegisterNi> registers_;
};

}  // namespace fabrictwin
