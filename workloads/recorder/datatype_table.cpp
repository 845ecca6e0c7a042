// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/datatype_table.h"

#ifdef OPEN_MPI
#pragma weak ompi_mpi_aint
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_char
#pragma weak ompi_mpi_character
#pragma weak ompi_mpi_count
#pragma weak ompi_mpi_dblprec
#pragma weak ompi_mpi_double
#pragma weak ompi_mpi_float
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_int16_t
#pragma weak ompi_mpi_int32_t
#pragma weak ompi_mpi_int64_t
#pragma weak ompi_mpi_int8_t
#pragma weak ompi_mpi_integer
#pragma weak ompi_mpi_logical
#pragma weak ompi_mpi_long
#pragma weak ompi_mpi_long_long_int
#pragma weak ompi_mpi_offset
#pragma weak ompi_mpi_packed
#pragma weak ompi_mpi_real
#pragma weak ompi_mpi_short
#pragma weak ompi_mpi_signed_char
#pragma weak ompi_mpi_uint16_t
#pragma weak ompi_mpi_uint32_t
#pragma weak ompi_mpi_uint64_t
#pragma weak ompi_mpi_uint8_t
#pragma weak ompi_mpi_unsigned
#pragma weak ompi_mpi_unsigned_char
#pragma weak ompi_mpi_unsigned_long
#pragma weak ompi_mpi_unsigned_long_long
#pragma weak ompi_mpi_unsigned_short
#endif

namespace fabrictwin::recorder {

void DatatypeTable::fill() {
  struct Known {
    MPI_Datatype type;
    Datatype datatype;
    int bytes;
  };
  const Known all[] = {
      {MPI_CHAR, Datatype::kChar, 1},
      {MPI_SIGNED_CHAR, Datatype::kChar, 1},
      {MPI_UNSIGNED_CHAR, Datatype::kChar, 1},
      {MPI_INT8_T, Datatype::kChar, 1},
      {MPI_UINT8_T, Datatype::kChar, 1},
      {MPI_BYTE, Datatype::kByte, 1},
      {MPI_PACKED, Datatype::kByte, 1},
      {MPI_SHORT, Datatype::kShort, 2},
      {MPI_UNSIGNED_SHORT, Datatype::kShort, 2},
      {MPI_INT16_T, Datatype::kShort, 2},
      {MPI_UINT16_T, Datatype::kShort, 2},
      {MPI_INT, Datatype::kInt, 4},
      {MPI_INT32_T, Datatype::kInt, 4},
      {MPI_UNSIGNED, Datatype::kUnsigned, 4},
      {MPI_UINT32_T, Datatype::kUnsigned, 4},
      {MPI_LONG, Datatype::kLong, 8},
      {MPI_INT64_T, Datatype::kLong, 8},
      {MPI_AINT, Datatype::kLong, 8},
      {MPI_OFFSET, Datatype::kLong, 8},
      {MPI_COUNT, Datatype::kLong, 8},
      {MPI_UNSIGNED_LONG, Datatype::kUnsignedLong, 8},
      {MPI_UINT64_T, Datatype::kUnsignedLong, 8},
      {MPI_UNSIGNED_LONG_LONG, Datatype::kUnsignedLong, 8},
      {MPI_LONG_LONG_INT, Datatype::kLongLong, 8},
      {MPI_FLOAT, Datatype::kFloat, 4},
      {MPI_DOUBLE, Datatype::kDouble, 8},
      {MPI_CHARACTER, Datatype::kChar, 1},
      {MPI_INTEGER, Datatype::kInt, 4},
      {MPI_LOGICAL, Datatype::kInt, 4},
      {MPI_REAL, Datatype::kFloat, 4},
      {MPI_DOUBLE_PRECISION, Datatype::kDouble, 8},
  };
  for (const Known& known : all) {
    // A Fortran type may be missing, or have another size.
    int bytes = 0;
    if (known.type == MPI_DATATYPE_NULL || PMPI_Type_size(known.type, &bytes) != MPI_SUCCESS) continue;
    if (bytes == known.bytes) known_[handle_key(known.type)] = known.datatype;
  }
}

ElementForm DatatypeTable::measure(MPI_Datatype type) {
  MPI_Count bytes = 0;
  if (PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS || bytes < 0) bytes = 0;
  return {Datatype::kByte, static_cast<uint64_t>(bytes)};
}

}  // namespace fabrictwin::recorder
