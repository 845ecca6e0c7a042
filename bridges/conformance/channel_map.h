// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The channels of a place as its configuration has them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// One direction of a link, as the place knows it.
struct Channel {
  uint32_t id = 0;
  uint32_t reverse = 0;  ///< The other direction of the link, which carries the credits for this one.
  bool inbound = false;  ///< Ends at the place; otherwise it begins there.
  bool inner = false;    ///< Begins and ends there, so it is in no message.
  size_t partition = 0;  ///< Index into the partitions of the configuration.
  std::string name;      ///< The port and the direction: "to router[1].x+", "from router[1].x+".
  Time latency;
  Clock word_clock{Frequency{1}};
  int32_t credits = 0;  ///< What its sender may send on each VC before a credit comes back.
  int32_t vcs = 2;
  int32_t word_bits = 128;
  int32_t credit_words = 1;  ///< Words for which a credit is.
};

/// Reads the plain form of a configuration. Immutable.
class ChannelMap {
 public:
  /// InvalidArgument for a configuration that no caller could have made.
  static absl::StatusOr<ChannelMap> of(const v1::ConfigureRequest& configure);

  /// Null if the place has no such channel in messages.
  const Channel* find(uint32_t id) const;
  /// Those that are in messages, by their numbers.
  const std::map<uint32_t, Channel>& crossing() const { return crossing_; }

  struct Partition {
    int32_t id = 0;
    std::string name;
    std::vector<uint32_t> inbound;  ///< All of its channels, ascending: a row has a count for each.
    std::vector<uint32_t> outbound;
    bool inner = false;  ///< Some of them are in no message.
  };
  const std::vector<Partition>& partitions() const { return partitions_; }
  /// Null if there is none of this id.
  const Partition* partition(int32_t id) const;

 private:
  absl::Status add(const v1::ElementConfig& element, size_t partition);

  std::map<uint32_t, Channel> crossing_;
  std::vector<Partition> partitions_;
};

}  // namespace fabrictwin::bridges::conformance
