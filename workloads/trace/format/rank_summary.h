// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The index entry of one rank in a trace file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "fabrictwin/v1/trace.pb.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::format {

/// Accumulates the events of a rank into the rank's entry in the index. Not thread-safe.
class RankSummary {
 public:
  /// Adds an event, which must be well formed.
  void add(const Event& event);
  void add_block(uint64_t offset, uint32_t bytes, uint32_t events);

  uint64_t events() const { return events_; }
  v1::RankIndex to_proto() const;

 private:
  struct ActionCount {
    uint64_t count = 0;
    uint64_t first_event = 0;
  };
  struct PeerCount {
    uint64_t sends = 0;
    uint64_t receives = 0;
  };

  void add_receive(int32_t source);

  uint64_t events_ = 0;
  std::array<ActionCount, kActions> actions_{};
  std::map<int32_t, PeerCount> peers_;
  uint64_t wildcard_receives_ = 0;
  uint64_t collectives_hash_ = 0;
  std::vector<v1::BlockPosition> blocks_;
};

}  // namespace fabrictwin::trace::format
