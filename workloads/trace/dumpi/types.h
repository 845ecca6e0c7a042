// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The datatypes of one rank of a DUMPI trace.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "workloads/trace/dumpi/call.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::dumpi {

/// Knows MPI's predefined datatypes (sizes are those of 64-bit Linux) and those that the rank has derived. Not
/// thread-safe.
class Types {
 public:
  /// A number of elements as a trace counts them.
  struct Amount {
    v1::TraceDatatype datatype = v1::BYTE;
    uint64_t count = 0;
  };

  /// Handles a call `MPI_Type_...` that makes a datatype; false if it is no such call. A datatype that is not
  /// understood can be made, but not used.
  absl::StatusOr<bool> define(const Call& call);
  /// `count` elements, a number from the argument `argument`, of the datatype in the argument `type` of the call.
  /// Errors name the location.
  absl::StatusOr<Amount> amount(const Call& call, std::string_view type, std::string_view argument,
                                int64_t count) const;

 private:
  absl::StatusOr<uint64_t> size(const Call& call, const Field& field) const;

  std::map<int64_t, uint64_t> sizes_;  // Sizes by number of the datatype.
};

}  // namespace fabrictwin::trace::dumpi
