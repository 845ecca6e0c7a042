// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A communicator as one of its members sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fabrictwin {

/// Some ranks in an order. Members are numbered from 0; ranks are those of the world. Not thread-safe.
class Communicator {
 public:
  /// All ranks, in their order.
  Communicator(int32_t rank, int32_t ranks) : size_(ranks), self_(rank) {}
  /// Of `members`, each a rank once; `rank` is one of them. Takes no memory if it is the first ranks of the world in
  /// their order, whatever their number.
  Communicator(int32_t rank, const std::vector<uint64_t>& members);

  int32_t size() const { return size_; }
  /// The number of the rank that sees it.
  int32_t self() const { return self_; }
  int32_t member(int32_t number) const { return members_.empty() ? number : members_[static_cast<size_t>(number)]; }
  /// The number of a rank; nothing if it is no member.
  std::optional<int32_t> number_of(int32_t rank) const;

  /// Collectives that the rank has called on it so far; kept by whoever runs the rank.
  uint32_t collectives = 0;

 private:
  int32_t size_;
  int32_t self_ = 0;
  bool ascending_ = true;
  std::vector<int32_t> members_;  ///< Empty: member i is rank i.
};

}  // namespace fabrictwin
