// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An axis of a sweep: one argument of --sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::study::sweep {

/// A field of the experiment and the values that it takes. Value type.
struct Axis {
  struct Value {
    std::string text;
    size_t offset = 0;  ///< The offset of the value in the argument.
  };
  std::string argument;  ///< "load=0.1:0.9:0.1".
  std::string name;      ///< The name as written: "load".
  std::string path;      ///< "workload.traffic.load".
  std::vector<Value> values;

  /// The field set to value number `index`.
  experiment::FieldSetting at(size_t index) const { return {path, values[index].text, argument, values[index].offset}; }
  /// The values as numbers, of one unit: plain ones, or times, sizes, rates or frequencies with units that may differ.
  struct Numbers {
    std::vector<double> values;  ///< As the values of the axis; empty if one of these is something else.
    std::string unit;            ///< "B", "ns"; empty if they have none.
  };
  Numbers numbers() const;
};

/// The most runs that a sweep may have.
inline constexpr size_t kMaxPoints = 10'000;

/// Reads "PATH=FROM:TO:STEP" or "PATH=A,B,C". A range is exact in decimal; its numbers may have the same unit
/// ("100ns:500ns:100ns"), and TO belongs to it if the steps meet it. The name of a field of workload.traffic stands for
/// its path. InvalidArgument is a diagnostic at the mistake. Whether the field exists and accepts the values is checked
/// when they are set.
absl::StatusOr<Axis> parse_axis(const std::string& argument);

/// Reads several arguments, which must have different fields and at most kMaxPoints combinations.
absl::StatusOr<std::vector<Axis>> parse_axes(const std::vector<std::string>& arguments);

/// Reads the arguments of --seeds: seeds and ranges of them, both ends included, separated by commas, as in "7",
/// "1:3,9", "0:20:5". InvalidArgument, a diagnostic at the mistake, if one is neither or is there twice, or if they are
/// more than a sweep may have points.
absl::StatusOr<std::vector<uint64_t>> parse_seeds(std::span<const std::string> arguments);

/// The settings of one run: a value of each axis, in their order.
using Settings = std::vector<experiment::FieldSetting>;

/// All combinations; the first axis varies fastest. Without axes, one point without settings.
std::vector<Settings> all_settings(const std::vector<Axis>& axes);

/// The name of a point with the names of `axes`: "load=0.3 pattern=tornado".
std::string point_name(const std::vector<Axis>& axes, const Settings& point);

}  // namespace fabrictwin::study::sweep
