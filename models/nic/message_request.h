// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The request by which a PacketNic sends a message.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/nic/message.h"
#include "models/nic/packet_nic.h"

namespace fabrictwin::nic {

/// The request for a message through a network interface with `queues` queues of each of its `ports` ports: envelope
/// and body of a kSend, the body alone of others, in the first queue of the port that the message names. The caller
/// sets `cookie` and `user`. InvalidArgument if the message is too large for one request.
absl::StatusOr<NicRequest> request_of(const OutgoingMessage& message, int32_t ports, int32_t queues);

}  // namespace fabrictwin::nic
