// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The point at which a link leaves a model partition: TLM-2.0 on one side, a channel pair on the other.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "models/kernel/link_transaction.h"

namespace fabrictwin::kernel {

/// Forwards bursts, credits and host records, unchanged in time, between a port of the fabric (or a network interface)
/// and the channels of a cut link. Not thread-safe.
class CutLink : public sc_core::sc_module {
 public:
  /// The channel ends outlive the module.
  CutLink(const sc_core::sc_module_name& name, link::ChannelSender& sender, link::ChannelReceiver& receiver);

  tlm_utils::simple_target_socket<CutLink> in;      ///< Towards the channel.
  tlm_utils::simple_initiator_socket<CutLink> out;  ///< From the channel.

  /// Forwards every record that arrives before `until`.
  void receive_until(Time until);

 private:
  void forward(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  link::ChannelSender& sender_;
  link::ChannelReceiver& receiver_;
  LinkTransaction transaction_;
};

}  // namespace fabrictwin::kernel
