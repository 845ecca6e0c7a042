// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls from Fortran. The bindings convert their arguments to those of C. Then those of Open MPI, and those of MPICH's
// module mpi_f08 without a buffer, call PMPI_..., bypassing all wrappers of MPI_.... So each wrapper also has a
// function of that name: calls from the bindings go to the wrapper, all others to the library.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "workloads/recorder/define_as.h"
#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// The address range of the bindings' code.
struct Bindings {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  /// Whether an address is in the range.
  bool has(const void* code) const { return reinterpret_cast<uintptr_t>(code) - begin < end - begin; }
};

/// Searches the libraries of the process for the bindings; empty if they are not loaded.
Bindings find_bindings();

/// The bindings that are loaded at the first call. Callable from any thread.
inline const Bindings& bindings() {
  static const Bindings found = find_bindings();
  return found;
}

/// Implements PMPI_..., where MPI_... is kWrapper. Not inlined: its return address must be in the caller of PMPI_....
template <auto kWrapper, Name kName, typename... Arguments>
[[gnu::noinline]] int profiled(Arguments... arguments) {
  if (bindings().has(__builtin_return_address(0))) return kWrapper(arguments...);
  if (Recording* const recording = Recording::get(); recording != nullptr) recording->passed_by(kName.text);
  static const auto library = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, kName.text));
  return library(arguments...);
}

}  // namespace fabrictwin::recorder

/// The function PMPI_name for the wrapper MPI_name.
#define FABRICTWIN_PROFILED(name) FABRICTWIN_DEFINE_AS(PMPI_##name, profiled<&MPI_##name, "PMPI_" #name>)

/// Defines the wrapper MPI_name from a template of the file, and its PMPI_name. The arguments of the template are the
/// function of the library, the name, and what follows.
#define FABRICTWIN_WRAP(shape, name, ...)                                                        \
  FABRICTWIN_DEFINE_AS(MPI_##name, shape<&PMPI_##name, "MPI_" #name __VA_OPT__(, ) __VA_ARGS__>) \
  FABRICTWIN_PROFILED(name)
