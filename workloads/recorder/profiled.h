// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls from Fortran. The bindings turn what they are given into what C has. Then those of Open MPI, and those of
// MPICH's module mpi_f08 where no buffer is involved, call PMPI_..., past all wrappers of MPI_.... So each wrapper has
// a function of that name, too: what comes from the bindings goes to the wrapper, everything else to the library.
#pragma once

#include <dlfcn.h>

#include <cstdint>

#include "workloads/recorder/define_as.h"
#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// Where the code of the bindings is.
struct Bindings {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  /// True if it has this address.
  bool has(const void* code) const { return reinterpret_cast<uintptr_t>(code) - begin < end - begin; }
};

/// Looks for them among the libraries of the process; empty if they are not loaded.
Bindings find_bindings();

/// Those that are there at the first call. From any thread.
inline const Bindings& bindings() {
  static const Bindings found = find_bindings();
  return found;
}

/// PMPI_..., where MPI_... is kWrapper. Not inlined: the caller must be the one who called PMPI_....
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

/// The wrapper MPI_name, made from a template of the file, and its PMPI_name. The arguments of the template are the
/// function of the library, the name, and what follows.
#define FABRICTWIN_WRAP(shape, name, ...)                                                        \
  FABRICTWIN_DEFINE_AS(MPI_##name, shape<&PMPI_##name, "MPI_" #name __VA_OPT__(, ) __VA_ARGS__>) \
  FABRICTWIN_PROFILED(name)
