// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps MPI datatypes to those of a trace.
#pragma once

#include <cstdint>

#include "workloads/recorder/handle_table.h"
#include "workloads/recorder/mpi_library.h"
#include "workloads/recorder/part_format.h"

namespace fabrictwin::recorder {

/// Elements of a datatype as a trace counts them.
struct ElementForm {
  Datatype datatype = Datatype::kByte;
  uint64_t elements = 1;  ///< Elements of `datatype` in one element of the application.
};

/// Predefined datatypes that a trace knows are kept; all others, including derived ones, become bytes, as many as
/// MPI_Type_size() says. Not thread-safe.
class DatatypeTable {
 public:
  /// Registers the predefined datatypes; call it once, after MPI has been initialised.
  void fill();
  ElementForm find(MPI_Datatype type) {
    const uint64_t key = handle_key(type);
    if (key == last_) [[likely]]
      return {last_datatype_, 1};
    const Datatype* const known = known_.find(key);
    if (known == nullptr) return measure(type);
    last_ = key;
    last_datatype_ = *known;
    return {*known, 1};
  }

 private:
  static ElementForm measure(MPI_Datatype type);

  HandleTable<Datatype> known_;
  uint64_t last_ = 0;  ///< The predefined datatype of the last lookup.
  Datatype last_datatype_ = Datatype::kByte;
};

}  // namespace fabrictwin::recorder
