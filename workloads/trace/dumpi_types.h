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
#include "workloads/trace/dumpi_call.h"
#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Knows what MPI defines (sizes are those of 64-bit Linux), and what the rank has made of that. Not thread-safe.
class DumpiTypes {
 public:
  /// Some elements as the trace counts them.
  struct Amount {
    v1::TraceDatatype datatype = v1::BYTE;
    uint64_t count = 0;
  };

  /// What the call `MPI_Type_...` makes; false if it is no such call. A type that is not understood can be made, but
  /// not used.
  absl::StatusOr<bool> define(const DumpiCall& call);
  /// `count` elements, a number of the argument `argument`, of the type in the argument `type` of the call. Errors
  /// name the place.
  absl::StatusOr<Amount> amount(const DumpiCall& call, std::string_view type, std::string_view argument,
                                int64_t count) const;

 private:
  absl::StatusOr<uint64_t> size(const DumpiCall& call, const DumpiField& field) const;

  std::map<int64_t, uint64_t> sizes_;  // By number.
};

}  // namespace fabrictwin
