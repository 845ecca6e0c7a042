// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/node_host_port.h"

#include <optional>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {

NodeHostPort::NodeHostPort(std::string element, const RouterPortConfig& port, Clock clock, const NodePins& pins)
    : element_(std::move(element)), port_(port), clock_(clock), pins_(pins), registers_(pins), memory_(pins) {}

absl::Status NodeHostPort::take_records(Time until) {
  ChannelReceiver& receiver = *port_.receiver;
  const std::string& channel = receiver.spec().name;
  for (const Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind != RecordKind::kHost) {
      return broken(record->time(), channel,
                    absl::DataLossError(fmt::format("a record of kind {}, but a host port takes only host records",
                                                    static_cast<int>(record->kind))));
    }
    const absl::StatusOr<HostMessage> message = HostMessage::decode(*record);
    if (!message.ok()) return broken(record->time(), channel, message.status());
    const int64_t cycle = clock_.edge_at_or_after(record->time());
    switch (message->operation) {
      case HostOperation::kRegisterWrite:
      case HostOperation::kRegisterRead:
        registers_.add(cycle, *message);
        break;
      case HostOperation::kMemoryData:
      case HostOperation::kMemoryWritten:
        if (absl::Status status = memory_.add(cycle, *message); !status.ok())
          return broken(record->time(), channel, status);
        break;
      default:
        return broken(record->time(), channel,
                      absl::DataLossError(fmt::format("host operation {}, which is none of a processor",
                                                      static_cast<int>(message->operation))));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

void NodeHostPort::drive(int64_t cycle) {
  registers_.drive(cycle);
  memory_.drive(cycle);
}

absl::Status NodeHostPort::sample(int64_t cycle) {
  const Time now = clock_.edge(cycle);
  if (const std::optional<HostMessage> answer = registers_.sample(); answer.has_value())
    port_.sender->send_host(now, answer->encode());
  if (absl::Status status = memory_.sample(leaving_); !status.ok())
    return broken(now, port_.sender->spec().name, status);
  for (const HostMessage& message : leaving_) port_.sender->send_host(now, message.encode());
  leaving_.clear();
  return absl::OkStatus();
}

void NodeHostPort::send_event(int64_t cycle) {
  if (*pins_.event_valid_o == 0) return;
  port_.sender->send_host(clock_.edge(cycle + 1), HostMessage::event(*pins_.event_interface_o).encode());
}

std::string NodeHostPort::wait() const {
  return busy() ? fmt::format("{} waits for the end of {}", element_, registers_.describe()) : std::string();
}

absl::Status NodeHostPort::broken(Time time, const std::string& channel, const absl::Status& status) const {
  return absl::DataLossError(fmt::format("{} at {}: {}: protocol error: {}", element_, to_string(time), channel,
                                         std::string(status.message())));
}

}  // namespace fabrictwin
