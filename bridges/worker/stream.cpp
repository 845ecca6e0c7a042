// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker/stream.h"

#include <algorithm>
#include <utility>

#include "bridges/protocol/plan_config.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::worker {

Stream::Stream(const system::Plan& plan, int32_t place, run::RunMemory& memory, engine::Executor& executor)
    : table_(memory.table()),
      executor_(executor),
      inbound_(protocol::channels_into(plan, place, memory).positions),
      decoder_("the caller", protocol::channels_into(plan, place, memory).channels),
      encoder_(protocol::channels_out_of(plan, place, memory).channels),
      rows_(memory.table(), protocol::partitions_at(plan, place)) {
  // Partitions that communicate only with other places learn everything from promises. Those that communicate with
  // each other also need the neighbours' rows; otherwise, they would advance through an idle period by one latency of
  // their own link at a time.
  const bool internal =
      std::any_of(table_.channels().begin(), table_.channels().end(), [&](const engine::SyncChannel& channel) {
        return plan.partitions[channel.source].place == place && plan.partitions[channel.target].place == place;
      });
  if (!internal) return;
  for (size_t i = 0; i < inbound_.size(); ++i) {
    const int32_t partition = table_.channels()[inbound_[i]].source;
    const auto outbound = table_.outbound(partition);
    auto neighbour = std::find_if(neighbours_.begin(), neighbours_.end(),
                                  [&](const Neighbour& known) { return known.partition == partition; });
    if (neighbour == neighbours_.end()) {
      neighbours_.push_back({partition,
                             {},
                             std::vector<uint64_t>(table_.inbound(partition).size()),
                             std::vector<uint64_t>(outbound.size())});
      neighbour = neighbours_.end() - 1;
    }
    const auto at = std::find(outbound.begin(), outbound.end(), inbound_[i]);
    neighbour->channels.emplace_back(i, static_cast<int32_t>(at - outbound.begin()));
  }
}

// A promise on a channel says that, beyond what it has sent, its source acts no earlier than the promise minus the
// latency. That is the content of a row.
void Stream::publish_neighbours() {
  for (Neighbour& neighbour : neighbours_) {
    Time now = Time::never();
    for (const auto& [index, outbound] : neighbour.channels) {
      const Time promise = decoder_.promise(index);
      const Time latency = table_.channels()[inbound_[index]].latency;
      if (!promise.is_never()) now = std::min(now, std::max(Time::zero(), promise - latency));
      neighbour.sent[outbound] = decoder_.records(index);
    }
    table_.publish(neighbour.partition, now, now, neighbour.consumed, neighbour.sent);
  }
}

bool Stream::blocked() const {
  for (const engine::LocalPartition& local : executor_.partitions()) {
    for (const link::ChannelSender* sender : local.senders) {
      if (sender->blocked()) return true;
    }
  }
  return false;
}

absl::Status Stream::answer(v1::RunRequest& request, v1::RunResponse& response) {
  if (request.number() != last_ + 1) {
    return absl::DataLossError(
        fmt::format("the caller: protocol error: message {} follows message {}", request.number(), last_));
  }
  last_ = request.number();
  executor_.raise_end(Time::from_fs(request.runs_until_fs()));
  if (absl::Status status = decoder_.start(std::move(*request.mutable_records())); !status.ok()) return status;
  bool again = true;
  while (again) {
    const absl::StatusOr<size_t> moved = decoder_.push();
    if (!moved.ok()) return moved.status();
    publish_neighbours();
    while (true) {
      const absl::StatusOr<bool> ran = executor_.run_once();
      if (!ran.ok()) return ran.status();
      if (!*ran) break;
    }
    // Full rings held back partitions or the rest of the message; now the rings are empty.
    again = !decoder_.done() || blocked();
    if (encoder_.collect() == 0 && *moved == 0 && again) {
      return absl::InternalError("a ring stays full although nothing else is left to do");
    }
  }
  response.Clear();
  response.set_consumed(last_);
  encoder_.finish(*response.mutable_records());
  rows_.write(response);
  return absl::OkStatus();
}

}  // namespace fabrictwin::bridges::worker
