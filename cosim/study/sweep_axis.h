// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sweep varies: one --sweep.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// A field of the experiment and the values that it gets. Value type.
struct SweepAxis {
  struct Value {
    std::string text;
    size_t offset = 0;  ///< Where in the argument it comes from.
  };
  std::string argument;  ///< "load=0.1:0.9:0.1".
  std::string name;      ///< As it was written: "load".
  std::string path;      ///< "workload.traffic.load".
  std::vector<Value> values;

  /// The field set to value number `index`.
  FieldSetting at(size_t index) const { return {path, values[index].text, argument, values[index].offset}; }
  /// The values as numbers; empty if one is none.
  std::vector<double> numbers() const;
};

/// The most runs that a sweep may have.
inline constexpr size_t kMaxSweepPoints = 10'000;

/// Reads "PATH=FROM:TO:STEP" or "PATH=A,B,C". A range is exact in decimal; its numbers may have the same unit
/// ("100ns:500ns:100ns"), and TO belongs to it if the steps meet it. The name of a field of workload.traffic stands for
/// its path. InvalidArgument is a diagnostic at the mistake. Whether the field exists and takes the values shows when
/// they are set.
absl::StatusOr<SweepAxis> parse_sweep_axis(const std::string& argument);

/// Several of them, of different fields, with at most kMaxSweepPoints combinations.
absl::StatusOr<std::vector<SweepAxis>> parse_sweep(const std::vector<std::string>& arguments);

/// One run of a sweep: a value of each axis, in their order.
using SweepPoint = std::vector<FieldSetting>;

/// All combinations; the first axis varies fastest. Without axes, one point without settings.
std::vector<SweepPoint> sweep_points(const std::vector<SweepAxis>& axes);

/// "load=0.3 pattern=tornado", with the names of `axes`.
std::string point_name(const std::vector<SweepAxis>& axes, const SweepPoint& point);

}  // namespace fabrictwin
