// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/external/limits.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "cosim/experiment/location_map.h"
#include "cosim/link/packet_format.h"
#include "fmt/format.h"

namespace fabrictwin::router::external {
namespace {

using link::HeaderField;

/// Hosts with several ports may have so many messages to one host under way that fewer bits would confuse them.
constexpr int64_t kMessagesUnderWay = 1 << 16;

struct Need {
  HeaderField field;
  std::string_view name;
  int64_t values;         ///< The largest one is one less.
  std::string_view what;  ///< Of which there are so many.
};

}  // namespace

absl::Status check_header(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  const int64_t hosts = graph.host_count();
  size_t ports = 1;
  for (int32_t host = 0; host < graph.host_count(); ++host)
    ports = std::max(ports, graph.elements[static_cast<size_t>(host)].ports.size());
  std::vector<Need> needs{
      {HeaderField::kSource, "SOURCE", hosts, "hosts"},
      {HeaderField::kDestination, "DESTINATION", hosts * static_cast<int64_t>(ports), "ports of hosts"},
  };
  if (ports > 1) needs.push_back({HeaderField::kSequence, "SEQUENCE", kMessagesUnderWay, "messages under way"});
  static constexpr std::pair<HeaderField, std::string_view> kAxes[] = {
      {HeaderField::kX, "X"}, {HeaderField::kY, "Y"}, {HeaderField::kZ, "Z"}};
  for (size_t d = 0; d < std::size(kAxes); ++d) {
    const bool there = experiment.router.packets.fields()[kAxes[d].first].bits > 0;
    const int64_t size = d < graph.dims.size() ? graph.dims[d] : 1;
    if (there) needs.push_back({kAxes[d].first, kAxes[d].second, size, "coordinates"});
  }
  for (const Need& need : needs) {
    const int32_t bits = experiment.router.packets.fields()[need.field].bits;
    if (need.values <= int64_t{1} << bits) continue;
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.router_location,
        fmt::format("{} of the header has {} bits, which tell {} apart, and {} has {} {}; write more bits, or a "
                    "smaller network",
                    need.name, bits, int64_t{1} << bits, graph.topology, need.values, need.what)));
  }
  return absl::OkStatus();
}

std::string rate_warning(const experiment::Experiment& experiment, const system::Plan& plan) {
  if (!plan.graph.external) return {};
  const Bandwidth most{experiment.router.clock.hertz * plan.graph.words.word_bits};
  for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) {
    const system::Link& link = plan.graph.channel_link(channel);
    const bool rtl = plan.partitions[plan.source_partition(channel)].implementation == v1::RTL;
    if (!rtl || link.rate.bits_per_second <= most.bits_per_second) continue;
    return fmt::format(
        "{} has {}, and RTL sends and takes one word of {} bits in a cycle of its clock, which is {} at {}; lower the "
        "rate, or raise router.clock",
        plan.graph.channel_name(channel), to_string(link.rate), plan.graph.words.word_bits, to_string(most),
        to_string(experiment.router.clock));
  }
  return {};
}

}  // namespace fabrictwin::router::external
