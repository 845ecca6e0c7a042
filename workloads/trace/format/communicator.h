// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A communicator as one of its members sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fabrictwin::trace::format {

/// An ordered group of ranks. Members are numbered from 0; ranks are those of the world. Not thread-safe.
class Communicator {
 public:
  /// The world: all ranks in their order.
  Communicator(int32_t rank, int32_t ranks) : size_(ranks), self_(rank) {}
  /// A communicator of `members`, each a different rank; `rank` is one of them. Takes no memory if it consists of the
  /// first ranks of the world in their order, however many.
  Communicator(int32_t rank, const std::vector<uint64_t>& members);

  int32_t size() const { return size_; }
  /// The number of the rank to which this view belongs.
  int32_t self() const { return self_; }
  int32_t member(int32_t number) const { return members_.empty() ? number : members_[static_cast<size_t>(number)]; }
  /// The number of a rank; nothing if it is not a member.
  std::optional<int32_t> number_of(int32_t rank) const;

  /// Collectives that the rank has called on it so far; updated by the code that runs the rank.
  uint32_t collectives = 0;

 private:
  int32_t size_;
  int32_t self_ = 0;
  bool ascending_ = true;
  std::vector<int32_t> members_;  ///< If empty, member i is rank i.
};

}  // namespace fabrictwin::trace::format
