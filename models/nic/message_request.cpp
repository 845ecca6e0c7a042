// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/message_request.h"

#include <limits>

#include "fmt/format.h"

namespace fabrictwin::nic {

absl::StatusOr<NicRequest> request_of(const OutgoingMessage& message, int32_t ports, int32_t queues) {
  const bool send = message.operation == NicOperation::kSend;
  const uint64_t bytes = message.envelope.bytes + (send ? sizeof(Envelope) : 0);
  if (bytes > std::numeric_limits<uint32_t>::max()) {
    return absl::InvalidArgumentError(fmt::format(
        "a message of {} bytes to host[{}] is more than its network interface takes at once, 4 GiB with its envelope",
        message.envelope.bytes, message.destination));
  }
  NicRequest request;
  request.operation = message.operation;
  request.inlined = true;
  request.destination = message.destination;
  request.bytes = static_cast<uint32_t>(bytes);
  if (message.port != OutgoingMessage::kAnyPort) request.queue = static_cast<uint16_t>(message.port % ports * queues);
  return request;
}

}  // namespace fabrictwin::nic
