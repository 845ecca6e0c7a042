// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/profiled.h"

#include <link.h>

#include <cstring>

#include "workloads/recorder/mpi_library.h"

namespace fabrictwin::recorder {
namespace {

#ifdef OPEN_MPI
// The functions of mpi_f08 are in another library, but call those in this one.
constexpr char kBindings[] = "/libmpi_mpifh.so";
#else
constexpr char kBindings[] = "/libmpichfort.so";
#endif

int take_bindings(dl_phdr_info* library, size_t, void* found) {
  if (std::strstr(library->dlpi_name, kBindings) == nullptr) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    *static_cast<Bindings*>(found) = {begin, begin + segment.p_memsz};
  }
  return 1;
}

}  // namespace

Bindings find_bindings() {
  Bindings result;
  dl_iterate_phdr(take_bindings, &result);
  return result;
}

}  // namespace fabrictwin::recorder
