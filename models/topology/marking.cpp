// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/marking.h"

#include <algorithm>
#include <cstdint>

#include "cosim/base/quantity.h"
#include "cosim/experiment/source_text.h"
#include "cosim/link/record.h"
#include "fmt/format.h"

namespace fabrictwin::topology {
namespace {

constexpr int64_t kMostThreshold = 65'535;  ///< Of the register of a router.

/// The words that all inputs of the largest router hold.
int64_t most_buffered(const system::SystemGraph& graph) {
  int64_t most = 0;
  for (system::ElementId id = graph.host_count(); id < static_cast<system::ElementId>(graph.elements.size()); ++id) {
    int64_t words = 0;
    for (size_t port = 0; port < graph.elements[id].ports.size(); ++port) {
      const int32_t channel = graph.channel_from(id, static_cast<int32_t>(port));
      if (channel >= 0) words += int64_t{link::kVcs} * graph.channel_link(channel).buffer_words;
    }
    most = std::max(most, words);
  }
  return most;
}

}  // namespace

absl::StatusOr<link::PacketMarking> packet_marking(const experiment::HardwareCongestion& congestion,
                                                   const system::SystemGraph& graph) {
  using experiment::HardwareCongestion;
  if (congestion.threshold == 0) return link::PacketMarking{};
  const int64_t held = most_buffered(graph);
  const int64_t share = HardwareCongestion::kSteps - congestion.threshold;
  // Whole bytes of a buffer of at most 2^63 bytes times 15 do not fit into 64 bits.
  const auto of = [&](int64_t bytes) {
    return static_cast<int64_t>(static_cast<__int128>(bytes) * share / HardwareCongestion::kSteps / link::kWordBytes);
  };
  const int64_t buffer = congestion.buffer.has_value() ? congestion.buffer->count : held * link::kWordBytes;
  const int64_t words = std::max<int64_t>(1, of(buffer));
  const int64_t most = std::min(kMostThreshold, held - 1);
  if (words > most) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        congestion.buffer_location,
        fmt::format("{}/{} of a buffer of {} are {} words, and an output has more than {} waiting for it at no time; "
                    "write a buffer of at most {}B, or a threshold nearer to {}",
                    share, HardwareCongestion::kSteps, to_string(Bytes{buffer}), words, most,
                    most * link::kWordBytes * HardwareCongestion::kSteps / share, HardwareCongestion::kSteps - 1)));
  }
  return link::PacketMarking{.threshold_words = static_cast<int32_t>(words),
                             .marking_rate = congestion.marking_rate,
                             .least_words = congestion.least_words,
                             .hosts = congestion.hosts};
}

}  // namespace fabrictwin::topology
