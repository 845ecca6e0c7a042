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

namespace fabrictwin {

/// A stretch of computation on one core.
struct Computation {
  Time alone;          ///< How long it takes if nobody else uses the memory.
  uint64_t bytes = 0;  ///< What it reads from memory and writes to it.
};

/// The processor of a rank, as a roofline: what it computes takes as long as its arithmetic or its memory traffic
/// needs, whichever is longer. docs/models/skeletons.md says where the numbers come from.
struct HostProfile {
  std::string_view name = "none";  ///< Also that of its MpiOverheads.
  double flops_per_second = 0;     ///< Sustained by one rank; 0: computation takes no time.
  /// The same of one sum of products in which each has to wait for the one before it, as a row of a sparse matrix is
  /// for a core that goes on in order; 0: no less than other arithmetic.
  double sum_flops_per_second = 0;
  double bytes_per_second = 0;  ///< Between one rank and its memory; with all ranks of a node at work if there is no
                                ///< `channel`.
  Bandwidth channel{};          ///< That the ranks of a node share; zero: what others do does not matter.

  /// How long `flops` operations on `bytes` bytes take.
  Time time(double flops, double bytes) const;
  /// The same with what it moves.
  Computation compute(double flops, double bytes) const;
  /// The same of `flops` operations of sums of products, each of which waits for the one before it.
  Computation compute_sums(double flops, double bytes) const;
};

/// The profile of that name: "none", "x86", "a53-exanest", "a64fx-tofud". InvalidArgument with the names that exist.
absl::StatusOr<HostProfile> find_host_profile(std::string_view name);

/// "none, x86, ...".
std::string host_profile_names();

}  // namespace fabrictwin
