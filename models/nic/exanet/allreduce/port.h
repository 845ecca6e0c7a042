// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Allreduce accelerator of a node as its driver sees it, whether a model or RTL: docs/models/allreduce.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/nic/exanet/port.h"
#include "models/nic/reduction.h"

namespace fabrictwin::nic::exanet::allreduce {

/// How an operation ended.
enum class Code : uint8_t {
  kDone = 0,
  kTimeout = 1,   ///< A vector did not come in time.
  kMismatch = 2,  ///< A vector has another operation, type or size.
  kUnknown = 3,   ///< A vector is not from the rank that it names, or the table has no address of a rank.
};
inline constexpr int kCodes = 4;
/// "a vector did not come in time", ...
const char* code_text(Code code);

/// The ranks that reduce together.
struct Group {
  int32_t rank = 0;         ///< Own number.
  std::vector<Node> nodes;  ///< By rank; 4 times a power of two.
  uint32_t timeout =
      0;  ///< Cycles to wait for a vector of the own board; further levels wait for multiples. 0: for ever.
};

/// Boards of a group as a power of two.
int32_t levels_of(size_t ranks);

/// What an operation ended with.
struct Result {
  Code code = Code::kDone;
  int32_t culprit = 0;                ///< The rank that is to blame, unless it is done.
  std::span<const std::byte> vector;  ///< Valid during the call.
};

/// Calls of the accelerator to its host, from the SystemC kernel.
class Client {
 public:
  virtual ~Client() = default;
  /// The operation that was started has ended. May not call the Port before it returns.
  virtual void reduced(const Result& result) = 0;
};

/// The accelerator. Used from the SystemC kernel.
class Port {
 public:
  virtual ~Port() = default;
  /// Sets rank and addresses; no operation is under way.
  virtual void configure(const Group& group) = 0;
  /// Starts an operation on a vector of 1 to 256 bytes; the one before has ended.
  virtual void start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) = 0;
};

}  // namespace fabrictwin::nic::exanet::allreduce
