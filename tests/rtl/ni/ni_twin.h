// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A second small_ni with the inputs of the first, but without the edges at which it says that nothing can happen: time
// jumps over them. Its outputs must be the same nevertheless.
#pragma once

#include <cstdint>
#include <memory>

class VSmallNi;

namespace fabrictwin::test {

struct RandomStateContext;

class NiTwin {
 public:
  NiTwin();
  ~NiTwin();

  /// The edge that `m` is about to take; its inputs are set and its outputs settled.
  void edge(const VSmallNi& m);
  /// Edges that were left out.
  int64_t skipped() const { return skipped_; }

 private:
  void copy_inputs(const VSmallNi& m);
  void compare(const VSmallNi& m);

  std::unique_ptr<RandomStateContext> context_;
  std::unique_ptr<VSmallNi> model_;
  int64_t skipped_ = 0;
  bool idle_ = false;
  bool failed_ = false;
};

}  // namespace fabrictwin::test
