// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a rank computes between its calls: a roofline of two numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin::skeleton {

/// One phase of computation on one core.
struct Computation {
  Time alone;          ///< Duration if no other core uses the memory.
  uint64_t bytes = 0;  ///< Bytes read from and written to memory.
};

/// The processor of a rank as a roofline: a computation takes as long as its arithmetic or its memory traffic,
/// whichever is longer. docs/models/skeletons.md gives the sources of the numbers.
struct HostProfile {
  std::string_view name = "none";  ///< Name, also of its MpiOverheads.
  double flops_per_second = 0;     ///< Sustained by one rank; 0: computation takes no time.
  /// Sustained rate of a sum of products in which each must wait for the one before it, as in a row of a sparse matrix
  /// on an in-order core; 0: as fast as other arithmetic.
  double sum_flops_per_second = 0;
  double bytes_per_second = 0;  ///< Memory rate of one rank; without `channel`, with all ranks active.
  Bandwidth channel{};          ///< Shared by the ranks of a node; zero if ranks do not affect each other.

  /// Duration of `flops` operations on `bytes` bytes.
  Time time(double flops, double bytes) const;
  /// Duration and memory traffic of `flops` operations on `bytes` bytes.
  Computation compute(double flops, double bytes) const;
  /// Duration and memory traffic of `flops` operations in sums of products, each of which waits for the one before it.
  Computation compute_sums(double flops, double bytes) const;
};

/// The profile of that name: "none", "x86", "a53-exanest", "a64fx-tofud". InvalidArgument with the existing names.
absl::StatusOr<HostProfile> find_host_profile(std::string_view name);

/// The names of all profiles: "none, x86, ...".
std::string host_profile_names();

}  // namespace fabrictwin::skeleton
