// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of the beginning and the end of MPI, and of calls that a trace need not contain.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

bool seen_init = false;

#ifdef OPEN_MPI
constexpr char kThis[] = "Open MPI";
constexpr char kOther[] = "MPICH";
bool is_other() {
  // The recorder itself has a PMPI_Init, so look for another function.
  return dlsym(RTLD_DEFAULT, "PMPI_Initialized") != nullptr && dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") == nullptr;
}
#else
constexpr char kThis[] = "MPICH";
constexpr char kOther[] = "Open MPI";
bool is_other() { return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr; }
#endif

// The handles of another library have another size, so no call could be passed on.
__attribute__((constructor)) void check_library() {
  if (!is_other()) return;
  dprintf(2, "fabrictwin-record: this recorder is for %s, but the program uses %s: use the recorder of that library\n",
          kThis, kOther);
  _exit(1);
}

// A run that was not recorded must not look like one that was.
__attribute__((destructor)) void check_seen() {
  using Initialized = int (*)(int*);
  const auto initialized = reinterpret_cast<Initialized>(dlsym(RTLD_DEFAULT, "PMPI_Initialized"));
  int used = 0;
  if (seen_init || initialized == nullptr || initialized(&used) != MPI_SUCCESS || used == 0) return;
  dprintf(
      2,
      "fabrictwin-record: nothing was recorded: MPI was initialised in a way that cannot be seen (by PMPI_Init, or in "
      "a library that the program is linked with and that has MPI in it)\n");
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  seen_init = true;
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) Recording::start(MPI_THREAD_SINGLE);
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  seen_init = true;
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) Recording::start(*provided);
  return code;
}

int MPI_Finalize() {
  const Call call("MPI_Finalize");
  Recording* const recording = Recording::get();
  if (recording != nullptr) recording->finish();
  const int code = PMPI_Finalize();
  if (recording != nullptr) recording->assemble();
  return code;
}

int MPI_Abort(MPI_Comm comm, int code) {
  const Call call("MPI_Abort");
  if (call) call->abort(code);
  return call.leave(PMPI_Abort(comm, code));
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  const Call call("MPI_File_open");
  if (call) {
    call->remark(
        "reads or writes files by MPI_File_open: the trace has the time that its processor spent on it and nothing "
        "else");
    call->expect_unknown_requests();
  }
  return call.leave(PMPI_File_open(comm, name, mode, info, file));
}

}  // extern "C"

FABRICTWIN_PROFILED(Init)
FABRICTWIN_PROFILED(Init_thread)
FABRICTWIN_PROFILED(Finalize)
FABRICTWIN_PROFILED(Abort)
FABRICTWIN_PROFILED(File_open)
