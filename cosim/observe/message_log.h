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

#include "absl/status/status.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/hosts_report.pb.h"

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
/// which they were sent. Where hosts are in several partitions, each has a log of its own, and merge() makes one of
/// them. Not thread-safe.
class MessageLog {
 public:
  /// Whether all hosts record here, or some in other partitions. A log of a part also keeps when messages from there
  /// have arrived, as many as the limit for each pair of hosts.
  enum class Scope { kWhole, kPart };

  explicit MessageLog(size_t limit, Scope scope = Scope::kWhole) : limit_(limit), scope_(scope) {}

  size_t limit() const { return limit_; }

  void sent(int32_t source, int32_t destination, uint64_t bytes, Time time);
  void arrived(int32_t source, int32_t destination, Time time);

  /// The recorded messages in the order in which they were sent.
  const std::vector<LoggedMessage>& messages() const { return messages_; }
  /// The number of messages that were sent when the log was full.
  uint64_t left_out() const { return left_out_; }

  /// What the log of one partition knows.
  void report_part(v1::MessageLogPart& part) const;
  /// Takes over what the logs of all partitions know, instead of what this one has: those messages of them that were
  /// sent first. DataLoss if a part cannot be.
  absl::Status merge(const google::protobuf::RepeatedPtrField<v1::MessageLogPart>& parts);

 private:
  struct Flow {
    uint64_t sent = 0;
    bool begins_here = false;      ///< Its source is in this partition. Known in logs of parts only.
    std::deque<size_t> under_way;  ///< Messages in the log that have not arrived.
    size_t came = 0;               ///< Messages in `came_`.
  };
  struct Arrival {
    int32_t source = 0;
    int32_t destination = 0;
    Time time;
  };
  Flow& flow(int32_t source, int32_t destination);

  size_t limit_;
  Scope scope_;
  std::vector<LoggedMessage> messages_;
  std::unordered_map<uint64_t, Flow> flows_;
  uint64_t left_out_ = 0;
  std::vector<Arrival> came_;  ///< Of messages that were not sent here, up to the limit of each flow.
};

}  // namespace fabrictwin::observe
