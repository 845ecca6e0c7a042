// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/class_counts.h"

#include <optional>

#include "cosim/base/jain_index.h"
#include "cosim/observe/latency_report.h"
#include "cosim/observe/pack_latencies.h"

namespace fabrictwin::traffic {

void ClassCounts::pack(v1::TrafficCounts& counts) const {
  counts.set_sent(sent_);
  counts.set_received(received_);
  counts.mutable_words()->Assign(words_.begin(), words_.end());
  observe::pack_latencies(latencies_, *counts.mutable_latencies());
}

void ClassCounts::add(const v1::TrafficCounts& counts) {
  sent_ += counts.sent();
  received_ += counts.received();
  for (size_t host = 0; host < words_.size() && static_cast<int>(host) < counts.words_size(); ++host)
    words_[host] += counts.words(static_cast<int>(host));
  observe::unpack_latencies(counts.latencies(), latencies_);
}

void ClassCounts::clear() {
  latencies_.clear();
  words_before_ = words_;
}

void ClassCounts::count() {
  for (size_t host = 0; host < words_.size(); ++host) counted_[host] = words_[host] - words_before_[host];
}

void ClassCounts::report(const TimeBase& base, int64_t slots, bool live, bool histogram, int32_t packet_words,
                         v1::ClassReport& report) const {
  report.set_name(spec_.name);
  report.set_offered_load(spec_.load / base.full_load());
  report.set_packets_sent(sent_);
  report.set_packets_received(received_);
  if (!spec_.stop.is_never()) {
    report.set_start_seconds(spec_.start.seconds());
    report.set_stop_seconds(spec_.stop.seconds());
  }
  std::vector<uint64_t> words;  // Of the hosts that the class goes to.
  uint64_t sum = 0;
  for (size_t host = 0; host < words_.size(); ++host) {
    if (!pattern_.receives(static_cast<int32_t>(host))) continue;
    words.push_back(live ? words_[host] : counted_[host]);
    sum += words.back();
  }
  if (slots > 0 && !words.empty()) {
    report.set_accepted_load(static_cast<double>(sum) /
                             (static_cast<double>(slots) * static_cast<double>(words.size())) / base.full_load());
    if (const std::optional<double> index = jain_index(words)) report.set_jain_index(*index);
    const double bits = static_cast<double>(sum) / packet_words * static_cast<double>(spec_.payload.count) * 8;
    report.set_goodput_gbps(bits / (static_cast<double>(slots) * base.slot_seconds()) * 1e-9);
  }
  if (latencies_.count() == 0) return;
  observe::report_latencies(latencies_, histogram, *report.mutable_latency(), base.tick_seconds());
  const double cycles = base.tick_cycles();
  v1::LatencyCycles& latency = *report.mutable_latency_cycles();
  latency.set_mean(latencies_.mean() * cycles);
  latency.set_min(static_cast<double>(latencies_.min()) * cycles);
  latency.set_max(static_cast<double>(latencies_.max()) * cycles);
  observe::report_percentiles(latencies_, cycles, histogram, latency);
}

}  // namespace fabrictwin::traffic
