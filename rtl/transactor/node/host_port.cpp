// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/host_port.h"

#include <optional>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::rtl::node {

HostPort::HostPort(std::string element, const router::PortConfig& port, Clock clock, const Pins& pins)
    : element_(std::move(element)), port_(port), clock_(clock), pins_(pins), registers_(pins), memory_(pins) {}

absl::Status HostPort::take_records(Time until) {
  link::ChannelReceiver& receiver = *port_.receiver;
  const std::string& channel = receiver.spec().name;
  for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind != link::RecordKind::kHost) {
      return broken(record->time(), channel,
                    absl::DataLossError(fmt::format("a record of kind {}, but a host port takes only host records",
                                                    static_cast<int>(record->kind))));
    }
    const absl::StatusOr<link::HostMessage> message = link::HostMessage::decode(*record);
    if (!message.ok()) return broken(record->time(), channel, message.status());
    const int64_t cycle = clock_.edge_at_or_after(record->time());
    switch (message->operation) {
      case link::HostOperation::kRegisterWrite:
      case link::HostOperation::kRegisterRead:
        registers_.add(cycle, *message);
        break;
      case link::HostOperation::kMemoryData:
      case link::HostOperation::kMemoryWritten:
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

void HostPort::drive(int64_t cycle) {
  registers_.drive(cycle);
  memory_.drive(cycle);
}

absl::Status HostPort::sample(int64_t cycle) {
  const Time now = clock_.edge(cycle);
  if (const std::optional<link::HostMessage> answer = registers_.sample(); answer.has_value())
    port_.sender->send_record(now, answer->encode());
  if (absl::Status status = memory_.sample(leaving_); !status.ok())
    return broken(now, port_.sender->spec().name, status);
  for (const link::HostMessage& message : leaving_) port_.sender->send_record(now, message.encode());
  leaving_.clear();
  return absl::OkStatus();
}

void HostPort::send_events(int64_t cycle) {
  const Time next = clock_.edge(cycle + 1);
  if (*pins_.event_valid_o != 0)
    port_.sender->send_record(next, link::HostMessage::event(*pins_.event_interface_o).encode());
  const bool interrupt = *pins_.irq_o != 0;
  if (interrupt && !interrupt_) port_.sender->send_record(next, link::HostMessage::interrupt().encode());
  interrupt_ = interrupt;
}

std::string HostPort::wait() const {
  return busy() ? fmt::format("{} waits for the end of {}", element_, registers_.describe()) : std::string();
}

absl::Status HostPort::broken(Time time, const std::string& channel, const absl::Status& status) const {
  return absl::DataLossError(fmt::format("{} at {}: {}: protocol error: {}", element_, to_string(time), channel,
                                         std::string(status.message())));
}

}  // namespace fabrictwin::rtl::node
