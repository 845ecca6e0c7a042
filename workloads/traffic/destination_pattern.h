// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Destinations of synthetic traffic.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/random.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::traffic {

/// The destinations of a traffic pattern on the hosts of a lattice; see TrafficPattern in traffic.proto. Value type.
class DestinationPattern {
 public:
  /// check_traffic() must accept `spec`; `dims` is the lattice of the network, X first, or empty if it is none.
  /// `groups` has the group of each host, from 0 on without gaps, or is empty if there are none.
  /// InvalidArgument, with alternatives, if the pattern does not exist there (lattices need a host at each point); for
  /// PERMUTATION errors are diagnostics of read_permutation().
  static absl::StatusOr<DestinationPattern> create(const ClassSpec& spec, const std::vector<int32_t>& dims,
                                                   int32_t hosts, const std::vector<int32_t>& groups = {});

  /// The destination of packet number `packet` of host `source`, which sends(). Random patterns use the host's stream.
  int32_t next(int32_t source, RandomStream& random, uint64_t packet) const {
    if (!fixed_.empty()) return fixed_[source];
    if (hotspot_fraction_ > 0 && random.next_unit() < hotspot_fraction_)
      return hotspots_[random.next_below(hotspots_.size())];
    if (!groups_.empty()) return in_next_group(source, random);
    const auto hosts = static_cast<uint64_t>(hosts_);
    if (in_turn_) return static_cast<int32_t>((static_cast<uint64_t>(source) + 1 + packet % (hosts - 1)) % hosts);
    if (include_self_) return static_cast<int32_t>(random.next_below(hosts));
    return static_cast<int32_t>((static_cast<uint64_t>(source) + 1 + random.next_below(hosts - 1)) % hosts);
  }

  /// False for hosts that never send, or that never receive.
  bool sends(int32_t host) const {
    return (fixed_.empty() || fixed_[host] >= 0) && (senders_.empty() || senders_[host]);
  }
  bool receives(int32_t host) const { return receives_.empty() || receives_[host]; }
  /// The number of hosts that send.
  int32_t senders() const;

 private:
  int32_t in_next_group(int32_t source, RandomStream& random) const {
    const std::vector<int32_t>& group = groups_[(static_cast<size_t>(group_of_[source]) + 1) % groups_.size()];
    return group[random.next_below(group.size())];
  }
  absl::Status group_hosts(const std::vector<int32_t>& groups);
  absl::Status restrict_to(const std::vector<std::pair<int32_t, int32_t>>& hosts);
  void find_receivers();

  std::vector<int32_t> fixed_;  ///< By source: its only destination, -1 if it sends nothing. Empty for other patterns.
  std::vector<bool> senders_;   ///< By host; empty if all may send.
  std::vector<bool> receives_;  ///< By host; empty if all do.
  std::vector<int32_t> group_of_;             ///< By host.
  std::vector<std::vector<int32_t>> groups_;  ///< The hosts of each; empty if the pattern needs no groups.
  std::vector<int32_t> hotspots_;
  double hotspot_fraction_ = 0;
  int32_t hosts_ = 0;
  bool include_self_ = false;
  bool in_turn_ = false;  ///< Each host sends to all others in turn.
};

}  // namespace fabrictwin::traffic
