// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of docs/bridge-protocol.md between ranks, with what gRPC would add to them.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::bridges::mpi {

/// What a message is. A call and its answer have the same tag.
enum Tag : int {
  kGreeting = 1,  ///< What a rank is, to rank 0, which answers what is wrong (nothing: an empty message).
  kBye,           ///< Nothing comes any more; answered in the same way. Both are empty.
  kHello,
  kDescribe,
  kConfigure,
  kConnect,
  kMetrics,
  kStop,
  kRun,  ///< A RunRequest or a RunResponse. An empty message ends the stream of its sender.
};

/// The message of a call. Answers are numbered like their calls, so that one that comes too late is known as such.
struct CallMessage {
  uint64_t number = 0;
  std::string body;  ///< The request.
};
struct AnswerMessage {
  uint64_t number = 0;
  int32_t code = 0;  ///< As of gRPC and Abseil.
  std::string body;  ///< The response, or the message of the error.
};

/// Conversion to bytes and back; DataLoss for what is too short. Thread-safe.
std::string to_bytes(const CallMessage& message);
std::string to_bytes(const AnswerMessage& message);
absl::StatusOr<CallMessage> call_of(const std::string& bytes);
absl::StatusOr<AnswerMessage> answer_of(const std::string& bytes);

}  // namespace fabrictwin::bridges::mpi
