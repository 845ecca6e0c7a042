// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/destination_pattern.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "workloads/traffic/check.h"
#include "workloads/traffic/permutation_file.h"

namespace fabrictwin::traffic {
namespace {

using Coordinates = std::vector<int32_t>;

Coordinates coordinates_of(const std::vector<int32_t>& dims, int32_t node) {
  Coordinates coordinates;
  for (const int32_t size : dims) {
    coordinates.push_back(node % size);
    node /= size;
  }
  return coordinates;
}

int32_t node_at(const std::vector<int32_t>& dims, const Coordinates& coordinates) {
  int32_t node = 0;
  for (size_t d = dims.size(); d-- > 0;) node = node * dims[d] + coordinates[d];
  return node;
}

bool is_square(const std::vector<int32_t>& dims) {
  const size_t half = dims.size() / 2;
  if (dims.empty() || dims.size() % 2 != 0) return false;
  for (size_t d = 0; d < half; ++d) {
    if (dims[d] != dims[d + half]) return false;
  }
  return true;
}

int32_t on_lattice(v1::TrafficPattern pattern, const std::vector<int32_t>& dims, int32_t source) {
  const Coordinates from = coordinates_of(dims, source);
  Coordinates to = from;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (pattern == v1::TORNADO) to[d] = (from[d] + (dims[d] + 1) / 2 - 1) % dims[d];
    if (pattern == v1::NEIGHBOR) to[d] = (from[d] + 1) % dims[d];
    if (pattern == v1::TRANSPOSE) to[d] = from[(d + dims.size() / 2) % dims.size()];
  }
  return node_at(dims, to);
}

int32_t on_bits(v1::TrafficPattern pattern, int32_t bits, int32_t source) {
  const auto from = static_cast<uint32_t>(source);
  const uint32_t mask = (uint32_t{1} << bits) - 1;
  uint32_t to = 0;
  if (pattern == v1::BITCOMP) to = ~from & mask;
  if (pattern == v1::SHUFFLE) to = (from << 1 | from >> (bits - 1)) & mask;
  for (int32_t b = 0; pattern == v1::BITREV && b < bits; ++b) to |= (from >> b & 1) << (bits - 1 - b);
  return static_cast<int32_t>(to);
}

/// Why the pattern needs hosts that do not exist; empty if all exist.
std::string too_few_hosts(const ClassSpec& spec, int32_t hosts) {
  const HostDemand demand = host_demand(spec);
  if (demand.hosts <= hosts) return {};
  if (demand.field == "incast_fan_in") {
    return fmt::format("incast_fan_in {}: of {} hosts at most {} can send to another one", spec.incast_fan_in, hosts,
                       hosts - 1);
  }
  return fmt::format("{} has host {}, and there are hosts 0 to {}", demand.field, demand.hosts - 1, hosts - 1);
}

/// The destination of each host, -1 for those that are not sources.
std::vector<int32_t> incast(const ClassSpec& spec, int32_t hosts) {
  const int32_t destination = spec.incast_destination;
  std::vector<int32_t> fixed(static_cast<size_t>(hosts), -1);
  for (const int32_t host : spec.incast_sources) fixed[host] = destination;
  if (!spec.incast_sources.empty()) return fixed;
  const int64_t others = hosts - 1;
  const int64_t sources = spec.incast_fan_in == 0 ? others : spec.incast_fan_in;
  for (int64_t i = 0; i < sources; ++i) fixed[(destination + 1 + i * others / sources) % hosts] = destination;
  return fixed;
}

}  // namespace

absl::StatusOr<DestinationPattern> DestinationPattern::create(const ClassSpec& spec, const std::vector<int32_t>& dims,
                                                              int32_t hosts, const std::vector<int32_t>& groups) {
  DestinationPattern pattern;
  pattern.hosts_ = hosts;
  pattern.include_self_ = spec.include_self;
  const std::string& name = v1::TrafficPattern_Name(spec.pattern);
  if (const std::string reason = too_few_hosts(spec, hosts); !reason.empty()) return absl::InvalidArgumentError(reason);
  switch (spec.pattern) {
    case v1::TORNADO:
    case v1::NEIGHBOR:
    case v1::TRANSPOSE: {
      if (dims.empty()) {
        return absl::InvalidArgumentError(
            fmt::format("pattern {} needs hosts in a lattice; use a torus, or UNIFORM", name));
      }
      const int64_t positions = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
      if (positions != hosts) {
        return absl::InvalidArgumentError(fmt::format(
            "pattern {} needs one host at each position of the lattice, and here are {} at each; use a torus "
            "with hosts_per_router: 1, or UNIFORM",
            name, hosts / positions));
      }
      if (spec.pattern == v1::TRANSPOSE && !is_square(dims)) {
        return absl::InvalidArgumentError(
            fmt::format("pattern TRANSPOSE exchanges the two halves of the coordinates, and those of {} are not alike; "
                        "use a torus such as 8x8 or 4x2x4x2, or another pattern",
                        fmt::join(dims, "x")));
      }
      for (int32_t host = 0; host < hosts; ++host) pattern.fixed_.push_back(on_lattice(spec.pattern, dims, host));
      break;
    }
    case v1::BITCOMP:
    case v1::BITREV:
    case v1::SHUFFLE: {
      if (!std::has_single_bit(static_cast<uint32_t>(hosts))) {
        return absl::InvalidArgumentError(fmt::format(
            "pattern {} works on the bits of a host's number, and {} hosts are no power of two; use {} or {} "
            "hosts, or another pattern",
            name, hosts, std::bit_floor(static_cast<uint32_t>(hosts)), std::bit_ceil(static_cast<uint32_t>(hosts))));
      }
      const int32_t bits = std::countr_zero(static_cast<uint32_t>(hosts));
      for (int32_t host = 0; host < hosts; ++host) pattern.fixed_.push_back(on_bits(spec.pattern, bits, host));
      break;
    }
    case v1::HOTSPOT:
      pattern.hotspots_ = spec.hotspot_hosts;
      pattern.hotspot_fraction_ = spec.hotspot_fraction;
      break;
    case v1::ALL_TO_ALL:
      pattern.in_turn_ = true;
      break;
    case v1::INCAST:
      pattern.fixed_ = incast(spec, hosts);
      break;
    case v1::PERMUTATION: {
      absl::StatusOr<std::vector<int32_t>> fixed = read_permutation(spec.permutation_file, hosts);
      if (!fixed.ok()) return fixed.status();
      pattern.fixed_ = *std::move(fixed);
      break;
    }
    case v1::GROUP_NEXT:
      if (const absl::Status status = pattern.group_hosts(groups); !status.ok()) return status;
      break;
    default:
      break;
  }
  if (const absl::Status status = pattern.restrict_to(spec.hosts); !status.ok()) return status;
  pattern.find_receivers();
  return pattern;
}

absl::Status DestinationPattern::group_hosts(const std::vector<int32_t>& groups) {
  group_of_ = groups;
  for (size_t host = 0; host < groups.size(); ++host) {
    const auto group = static_cast<size_t>(groups[host]);
    if (group >= groups_.size()) groups_.resize(group + 1);
    groups_[group].push_back(static_cast<int32_t>(host));
  }
  if (groups_.size() >= 2) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "pattern GROUP_NEXT needs two groups of hosts or more: those of a dragonfly, or below the lowest routers of a "
      "tree; use such a topology, or UNIFORM");
}

absl::Status DestinationPattern::restrict_to(const std::vector<std::pair<int32_t, int32_t>>& hosts) {
  if (hosts.empty()) return absl::OkStatus();
  senders_.resize(static_cast<size_t>(hosts_));
  for (const auto& [first, last] : hosts) {
    if (last >= hosts_)
      return absl::OutOfRangeError(fmt::format("hosts has host {}, and there are hosts 0 to {}", last, hosts_ - 1));
    std::fill(senders_.begin() + first, senders_.begin() + last + 1, true);
  }
  for (size_t host = 0; host < fixed_.size(); ++host) {
    if (!senders_[host]) fixed_[host] = -1;
  }
  if (senders() > 0) return absl::OkStatus();
  return absl::OutOfRangeError("with this pattern none of these hosts sends anything; name others, or another pattern");
}

void DestinationPattern::find_receivers() {
  const auto add = [&](int32_t host) {
    if (receives_.empty()) receives_.resize(static_cast<size_t>(hosts_));
    receives_[host] = true;
  };
  for (const int32_t destination : fixed_) {
    if (destination >= 0) add(destination);
  }
  if (hotspot_fraction_ >= 1) std::ranges::for_each(hotspots_, add);
  for (size_t host = 0; host < group_of_.size(); ++host) {
    if (!groups_.empty() && sends(static_cast<int32_t>(host)))
      std::ranges::for_each(groups_[(static_cast<size_t>(group_of_[host]) + 1) % groups_.size()], add);
  }
}

int32_t DestinationPattern::senders() const {
  int32_t senders = 0;
  for (int32_t host = 0; host < hosts_; ++host) senders += sends(host) ? 1 : 0;
  return senders;
}

}  // namespace fabrictwin::traffic
