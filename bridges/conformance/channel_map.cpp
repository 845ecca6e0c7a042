// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/channel_map.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

constexpr int32_t kMostVcs = 255;

/// A number of femtoseconds, or of periods, with which times can be calculated.
bool is_time(int64_t value) { return value > 0 && value < Time::never().fs() / 4; }

}  // namespace

absl::Status ChannelMap::add(const v1::ElementConfig& element, size_t partition) {
  for (const v1::PortConfig& port : element.ports()) {
    if (!is_time(port.latency_fs()) || !is_time(port.word_clock_numerator()) || !is_time(port.word_clock_denominator()))
      return absl::InvalidArgumentError(
          fmt::format("{}.{} has no latency or no word clock", element.name(), port.name()));
    if (element.has_words() && (element.vcs() < 1 || element.vcs() > kMostVcs))
      return absl::InvalidArgumentError(fmt::format("{} has {} VCs", element.name(), element.vcs()));
    Channel channel;
    channel.partition = partition;
    channel.latency = Time::from_fs(port.latency_fs());
    channel.word_clock = Clock::from_period(port.word_clock_numerator(), port.word_clock_denominator());
    if (element.has_words()) {
      channel.vcs = element.vcs();
      channel.word_bits = element.words().word_bits();
      channel.credit_words = std::max(1, element.words().credit_words());
    }
    const std::string name = fmt::format("{}.{}", element.name(), port.name());
    Channel in = channel;
    in.id = port.inbound_channel();
    in.reverse = port.outbound_channel();
    in.inbound = true;
    in.name = "to " + name;
    in.credits = element.buffer_words();
    channel.id = port.outbound_channel();
    channel.reverse = port.inbound_channel();
    channel.name = "from " + name;
    channel.credits = port.initial_credits();
    partitions_[partition].inbound.push_back(in.id);
    partitions_[partition].outbound.push_back(channel.id);
    // A channel that is there from both of its sides is an inner one.
    for (Channel& each : {std::ref(in), std::ref(channel)}) {
      const auto [known, is_new] = crossing_.try_emplace(each.id, each);
      if (!is_new) known->second.inner = true;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ChannelMap> ChannelMap::of(const v1::ConfigureRequest& configure) {
  ChannelMap map;
  for (const v1::PartitionConfig& partition : configure.partitions()) {
    map.partitions_.push_back({partition.id(), partition.name(), {}, {}});
    for (const v1::ElementConfig& element : partition.elements()) {
      if (absl::Status status = map.add(element, map.partitions_.size() - 1); !status.ok()) return status;
    }
  }
  if (map.crossing_.empty()) return absl::InvalidArgumentError("the configuration has no channels");
  std::set<uint32_t> inner;
  for (const auto& [id, channel] : map.crossing_) {
    if (channel.inner) inner.insert(id);
  }
  for (const uint32_t id : inner) map.crossing_.erase(id);
  for (Partition& partition : map.partitions_) {
    for (std::vector<uint32_t>* ids : {&partition.inbound, &partition.outbound}) {
      std::sort(ids->begin(), ids->end());
      partition.inner =
          partition.inner || std::any_of(ids->begin(), ids->end(), [&](uint32_t id) { return inner.contains(id); });
    }
  }
  return map;
}

const Channel* ChannelMap::find(uint32_t id) const {
  const auto found = crossing_.find(id);
  return found == crossing_.end() ? nullptr : &found->second;
}

const ChannelMap::Partition* ChannelMap::partition(int32_t id) const {
  const auto found = std::find_if(partitions_.begin(), partitions_.end(),
                                  [&](const Partition& partition) { return partition.id == id; });
  return found == partitions_.end() ? nullptr : &*found;
}

}  // namespace fabrictwin::bridges::conformance
