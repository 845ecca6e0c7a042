// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The header of the MPI library that a recorder is built for: Open MPI or MPICH.
#pragma once

// The C++ bindings of MPI 2 are neither used nor wrapped here.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>
#include <type_traits>

// Open MPI's predefined handles are addresses of variables of its library. They are weak, so that a process without MPI
// (a shell that mpirun starts) can load the recorder too.
#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_request_null
#pragma weak ompi_message_no_proc
#pragma weak ompi_mpi_unsigned
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_message_null
#pragma weak ompi_mpi_op_min
#pragma weak ompi_mpi_op_bor
#pragma weak ompi_mpi_op_max
#endif

namespace fabrictwin::recorder {

/// An MPI handle, which is a number or an address, as a number; never 0.
template <typename Handle>
uint64_t handle_key(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<uintptr_t>(handle);
  } else {
    return static_cast<uint32_t>(handle);
  }
}

}  // namespace fabrictwin::recorder
