// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/message_latencies.h"

#include <algorithm>

#include "cosim/observe/latency_report.h"
#include "cosim/observe/pack_latencies.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::host {
namespace {

const metric::Summary kMessageLatency{
    {.name = "fabrictwin_message_latency_seconds",
     .unit = "seconds",
     .help = "Simulated time from a host's giving a message to its network interface until all of it has arrived",
     .order = 310,
     .in_report = false}};

}  // namespace

void MessageLatencies::measure(metric::Sink& sink) const { sink.add(kMessageLatency, latencies_, 1e-15); }

void MessageLatencies::report(v1::Report& report) const {
  observe::report_latencies(latencies_, true, *report.mutable_message_latency_seconds());
}

void MessageLatencies::report_part(v1::MessageLatencyPart& part) const {
  observe::pack_latencies(latencies_, *part.mutable_latencies());
  // Their order in the map depends on the library.
  std::vector<std::pair<uint64_t, Time>> sent(under_way_.begin(), under_way_.end());
  std::sort(sent.begin(), sent.end());
  for (const auto& [key, time] : sent) {
    part.add_sent(key);
    part.add_sent_fs(time.fs());
  }
  for (const auto& [key, time] : arrived_) {
    part.add_arrived(key);
    part.add_arrived_fs(time.fs());
  }
}

absl::Status MessageLatencies::report_parts(const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts,
                                            v1::Report& report) {
  // Hosts that send no messages have none.
  if (std::none_of(parts.begin(), parts.end(), [](const v1::WorkloadPart& part) { return part.has_messages(); }))
    return absl::OkStatus();
  MessageLatencies all(false);
  for (const v1::WorkloadPart& part : parts) {
    const v1::MessageLatencyPart& messages = part.messages();
    if (messages.sent_size() != messages.sent_fs_size() || messages.arrived_size() != messages.arrived_fs_size() ||
        !observe::is_sound(messages.latencies()))
      return absl::DataLossError("a place tells of messages that cannot be");
    observe::unpack_latencies(messages.latencies(), all.latencies_);
    for (int i = 0; i < messages.sent_size(); ++i)
      all.under_way_[messages.sent(i)] = Time::from_fs(messages.sent_fs(i));
  }
  for (const v1::WorkloadPart& part : parts) {
    const v1::MessageLatencyPart& messages = part.messages();
    for (int i = 0; i < messages.arrived_size(); ++i) {
      const auto found = all.under_way_.find(messages.arrived(i));
      if (found == all.under_way_.end()) continue;
      all.latencies_.add(messages.arrived_fs(i) - found->second.fs());
      all.under_way_.erase(found);
    }
  }
  // A partition of this process may have reported its own already.
  report.clear_message_latency_seconds();
  all.report(report);
  return absl::OkStatus();
}

}  // namespace fabrictwin::host
