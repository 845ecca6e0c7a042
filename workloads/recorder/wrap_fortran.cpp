// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls from Fortran. The bindings turn what they are given into what C has. Then those of Open MPI, and those of
// MPICH's module mpi_f08 where no buffer is involved, call PMPI_..., past all wrappers of MPI_.... So the recorder has
// functions of that name, too: what comes from the bindings goes to the wrapper, everything else to the library.
#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "workloads/recorder/define_as.h"
#include "workloads/recorder/mpi_library.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

#ifdef OPEN_MPI
// The functions of mpi_f08 are elsewhere, but call those that are here.
constexpr char kBindings[] = "/libmpi_mpifh.so";
#else
constexpr char kBindings[] = "/libmpichfort.so";
#endif

// The code of the bindings.
struct Bindings {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool call(const void* return_address) const {
    return reinterpret_cast<uintptr_t>(return_address) - begin < end - begin;
  }
};

int find_bindings(dl_phdr_info* library, size_t, void* found) {
  if (std::strstr(library->dlpi_name, kBindings) == nullptr) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    *static_cast<Bindings*>(found) = {begin, begin + segment.p_memsz};
  }
  return 1;
}

const Bindings& bindings() {
  static const Bindings found = [] {
    Bindings result;
    dl_iterate_phdr(find_bindings, &result);
    return result;
  }();
  return found;
}

// PMPI_..., where MPI_... is kWrapper. Not inlined: the caller must be the one who called PMPI_....
template <auto kWrapper, Name kName, typename... Arguments>
[[gnu::noinline]] int profiled(Arguments... arguments) {
  if (bindings().call(__builtin_return_address(0))) return kWrapper(arguments...);
  static const auto library = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, kName.text));
  return library(arguments...);
}

}  // namespace

#define FABRICTWIN_PROFILED(name) FABRICTWIN_DEFINE_AS(PMPI_##name, profiled<&MPI_##name, "PMPI_" #name>)

// wrap_messages.cpp
FABRICTWIN_PROFILED(Send)
FABRICTWIN_PROFILED(Ssend)
FABRICTWIN_PROFILED(Bsend)
FABRICTWIN_PROFILED(Rsend)
FABRICTWIN_PROFILED(Isend)
FABRICTWIN_PROFILED(Issend)
FABRICTWIN_PROFILED(Ibsend)
FABRICTWIN_PROFILED(Irsend)
FABRICTWIN_PROFILED(Send_init)
FABRICTWIN_PROFILED(Ssend_init)
FABRICTWIN_PROFILED(Bsend_init)
FABRICTWIN_PROFILED(Rsend_init)
FABRICTWIN_PROFILED(Recv)
FABRICTWIN_PROFILED(Irecv)
FABRICTWIN_PROFILED(Recv_init)
FABRICTWIN_PROFILED(Start)
FABRICTWIN_PROFILED(Startall)
FABRICTWIN_PROFILED(Sendrecv)
FABRICTWIN_PROFILED(Sendrecv_replace)
FABRICTWIN_PROFILED(Probe)
FABRICTWIN_PROFILED(Iprobe)
FABRICTWIN_PROFILED(Mprobe)
FABRICTWIN_PROFILED(Improbe)
FABRICTWIN_PROFILED(Mrecv)
FABRICTWIN_PROFILED(Imrecv)
// wrap_completion.cpp
FABRICTWIN_PROFILED(Wait)
FABRICTWIN_PROFILED(Waitall)
FABRICTWIN_PROFILED(Waitany)
FABRICTWIN_PROFILED(Waitsome)
FABRICTWIN_PROFILED(Test)
FABRICTWIN_PROFILED(Testall)
FABRICTWIN_PROFILED(Testany)
FABRICTWIN_PROFILED(Testsome)
FABRICTWIN_PROFILED(Request_free)
// wrap_collectives.cpp
FABRICTWIN_PROFILED(Barrier)
FABRICTWIN_PROFILED(Ibarrier)
FABRICTWIN_PROFILED(Bcast)
FABRICTWIN_PROFILED(Ibcast)
FABRICTWIN_PROFILED(Reduce)
FABRICTWIN_PROFILED(Ireduce)
FABRICTWIN_PROFILED(Allreduce)
FABRICTWIN_PROFILED(Iallreduce)
FABRICTWIN_PROFILED(Scan)
FABRICTWIN_PROFILED(Iscan)
FABRICTWIN_PROFILED(Exscan)
FABRICTWIN_PROFILED(Iexscan)
FABRICTWIN_PROFILED(Allgather)
FABRICTWIN_PROFILED(Iallgather)
FABRICTWIN_PROFILED(Allgatherv)
FABRICTWIN_PROFILED(Iallgatherv)
FABRICTWIN_PROFILED(Alltoall)
FABRICTWIN_PROFILED(Ialltoall)
FABRICTWIN_PROFILED(Alltoallv)
FABRICTWIN_PROFILED(Ialltoallv)
FABRICTWIN_PROFILED(Alltoallw)
FABRICTWIN_PROFILED(Ialltoallw)
FABRICTWIN_PROFILED(Gather)
FABRICTWIN_PROFILED(Igather)
FABRICTWIN_PROFILED(Gatherv)
FABRICTWIN_PROFILED(Igatherv)
FABRICTWIN_PROFILED(Scatter)
FABRICTWIN_PROFILED(Iscatter)
FABRICTWIN_PROFILED(Scatterv)
FABRICTWIN_PROFILED(Iscatterv)
FABRICTWIN_PROFILED(Reduce_scatter)
FABRICTWIN_PROFILED(Ireduce_scatter)
FABRICTWIN_PROFILED(Reduce_scatter_block)
FABRICTWIN_PROFILED(Ireduce_scatter_block)
// wrap_communicators.cpp
FABRICTWIN_PROFILED(Comm_free)
FABRICTWIN_PROFILED(Comm_disconnect)
FABRICTWIN_PROFILED(Comm_dup)
FABRICTWIN_PROFILED(Comm_dup_with_info)
FABRICTWIN_PROFILED(Comm_split)
FABRICTWIN_PROFILED(Comm_split_type)
FABRICTWIN_PROFILED(Comm_create)
FABRICTWIN_PROFILED(Comm_create_group)
FABRICTWIN_PROFILED(Cart_create)
FABRICTWIN_PROFILED(Cart_sub)
FABRICTWIN_PROFILED(Graph_create)
FABRICTWIN_PROFILED(Dist_graph_create)
FABRICTWIN_PROFILED(Dist_graph_create_adjacent)
// wrap_environment.cpp
FABRICTWIN_PROFILED(Init)
FABRICTWIN_PROFILED(Init_thread)
FABRICTWIN_PROFILED(Finalize)
FABRICTWIN_PROFILED(Abort)
FABRICTWIN_PROFILED(File_open)
// wrap_refused.cpp
FABRICTWIN_PROFILED(Intercomm_create)
FABRICTWIN_PROFILED(Comm_spawn)
FABRICTWIN_PROFILED(Comm_spawn_multiple)
FABRICTWIN_PROFILED(Comm_accept)
FABRICTWIN_PROFILED(Comm_connect)
FABRICTWIN_PROFILED(Comm_join)
FABRICTWIN_PROFILED(Win_create)
FABRICTWIN_PROFILED(Win_allocate)
FABRICTWIN_PROFILED(Win_allocate_shared)
FABRICTWIN_PROFILED(Win_create_dynamic)
FABRICTWIN_PROFILED(Neighbor_allgather)
FABRICTWIN_PROFILED(Ineighbor_allgather)
FABRICTWIN_PROFILED(Neighbor_allgatherv)
FABRICTWIN_PROFILED(Ineighbor_allgatherv)
FABRICTWIN_PROFILED(Neighbor_alltoall)
FABRICTWIN_PROFILED(Ineighbor_alltoall)
FABRICTWIN_PROFILED(Neighbor_alltoallv)
FABRICTWIN_PROFILED(Ineighbor_alltoallv)
FABRICTWIN_PROFILED(Neighbor_alltoallw)
FABRICTWIN_PROFILED(Ineighbor_alltoallw)
FABRICTWIN_PROFILED(Cancel)
FABRICTWIN_PROFILED(Grequest_start)
FABRICTWIN_PROFILED(Comm_idup)
#if MPI_VERSION >= 4
FABRICTWIN_PROFILED(Barrier_init)
FABRICTWIN_PROFILED(Comm_create_from_group)
FABRICTWIN_PROFILED(Comm_idup_with_info)
FABRICTWIN_PROFILED(Intercomm_create_from_groups)
FABRICTWIN_PROFILED(Session_init)
#endif
