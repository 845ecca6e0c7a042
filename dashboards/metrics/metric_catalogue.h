// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all metrics that FabricTwin exports; the exporter and docs/metrics.md follow it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fabrictwin::dashboards::metrics {

enum class MetricType : uint8_t {
  kCounter,  ///< Only grows during a run; use it with rate() or increase().
  kGauge,    ///< May go up and down, or carries only labels.
  kSummary,  ///< Quantiles of a distribution, with count and sum.
};

/// The type as Prometheus writes it: "counter".
std::string_view to_string(MetricType type);

/// One metric as data. Names are in base units; counters end in _total, as `promtool check metrics` wants it.
struct Metric {
  static constexpr size_t kMaxLabels = 4;

  std::string_view name;
  MetricType type = MetricType::kCounter;
  std::string_view unit;                                   ///< The unit: "bytes", "seconds"; "1" for plain numbers.
  std::string_view help;                                   ///< One sentence without a final stop.
  std::array<std::string_view, kMaxLabels> label_names{};  ///< Unused entries at the end are empty.

  /// The labels that are used.
  constexpr std::span<const std::string_view> labels() const {
    size_t count = 0;
    while (count < kMaxLabels && !label_names[count].empty()) ++count;
    return std::span(label_names).first(count);
  }
};

/// The metrics by name, for code that fills them in.
namespace metric {
extern const Metric kRunInfo;
extern const Metric kSimulatedSeconds;
extern const Metric kWallSeconds;
extern const Metric kLinkBytes;
extern const Metric kLinkPackets;
extern const Metric kLinkCreditStall;
extern const Metric kLinkStallToFlit;
extern const Metric kPacketLatency;
extern const Metric kMessageLatency;
extern const Metric kAcceptedLoad;
extern const Metric kAcceptedLoadLeast;
extern const Metric kJainIndex;
extern const Metric kBufferMean;
extern const Metric kBufferMost;
extern const Metric kBufferCapacity;
extern const Metric kPartitionInfo;
extern const Metric kPartitionEvents;
extern const Metric kPartitionBusy;
extern const Metric kPartitionWait;
extern const Metric kPartitionRecordsReceived;
extern const Metric kPartitionRecordsSent;
extern const Metric kTransportRecords;
extern const Metric kTransportMessages;
extern const Metric kTransportBytes;
}  // namespace metric

/// All metrics in the order in which they are exported and documented.
std::span<const Metric* const> metric_catalogue();

/// The catalogue as a Markdown table, which docs/metrics.md holds.
std::string metric_table();

}  // namespace fabrictwin::dashboards::metrics
