// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records when each message of a run was sent and when it arrived, to compare runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::observe {

/// One message between hosts. Source, destination and number identify it in all runs of the same workload.
struct LoggedMessage {
  int32_t source = 0;       ///< The number of the host.
  int32_t destination = 0;  ///< The number of the host.
  uint64_t number = 0;      ///< Counts the messages from this source to this destination, from 0.
  uint64_t bytes = 0;       ///< The size of its body.
  Time sent;                ///< When it was given to the network interface.
  Time arrived = Time::never();
};

/// Records messages up to a limit, so that its memory is bounded. Messages between two hosts arrive in the order in
/// which they were sent. Not thread-safe: all hosts are in one partition.
class MessageLog {
 public:
  explicit MessageLog(size_t limit) : limit_(limit) {}

  void sent(int32_t source, int32_t destination, uint64_t bytes, Time time);
  void arrived(int32_t source, int32_t destination, Time time);

  /// The recorded messages in the order in which they were sent.
  const std::vector<LoggedMessage>& messages() const { return messages_; }
  /// The number of messages that were sent when the log was full.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Flow {
    uint64_t sent = 0;
    std::deque<size_t> under_way;  ///< Messages in the log that have not arrived.
  };
  Flow& flow(int32_t source, int32_t destination);

  size_t limit_;
  std::vector<LoggedMessage> messages_;
  std::unordered_map<uint64_t, Flow> flows_;
  uint64_t left_out_ = 0;
};

}  // namespace fabrictwin::observe
