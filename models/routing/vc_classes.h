// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides VCs among the classes of a routing algorithm.
#pragma once

#include <cstdint>

namespace fabrictwin::routing {

/// Divides the VCs of a port into equal classes, in order; remaining VCs belong to the last class. Value type.
class VcClasses {
 public:
  /// Requires 1 <= classes <= vcs <= 32.
  constexpr VcClasses(int32_t vcs, int32_t classes) : vcs_(vcs), classes_(classes) {}

  constexpr int32_t vcs() const { return vcs_; }
  constexpr int32_t classes() const { return classes_; }
  /// The VCs of a class.
  constexpr uint32_t mask(int32_t index) const {
    const int32_t each = vcs_ / classes_;
    const int32_t end = index + 1 == classes_ ? vcs_ : (index + 1) * each;
    return below(end) & ~below(index * each);
  }
  /// The class of a VC.
  constexpr int32_t of(int32_t vc) const {
    const int32_t index = vc / (vcs_ / classes_);
    return index < classes_ ? index : classes_ - 1;
  }
  constexpr uint32_t all() const { return below(vcs_); }

 private:
  static constexpr uint32_t below(int32_t vc) { return vc >= 32 ? ~0U : (1U << vc) - 1; }

  int32_t vcs_;
  int32_t classes_;
};

}  // namespace fabrictwin::routing
