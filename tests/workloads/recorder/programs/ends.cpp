// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that end early, and those that a trace cannot hold.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <vector>

#include "programs.h"

void run_early_end(const World& world, const std::string& how) {
  int data[2] = {};
  if (world.rank == 1) {
    MPI_Recv(data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == "abort") MPI_Abort(MPI_COMM_WORLD, 3);
    if (how == "kill") raise(SIGKILL);
    _exit(4);
  }
  MPI_Request request;
  MPI_Irecv(data, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
  MPI_Send(data + 1, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void run_refused(const World& world, const std::string& call) {
  int data[2] = {};
  MPI_Barrier(MPI_COMM_WORLD);
  if (call == "MPI_Win_create") {
    MPI_Win window;
    MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
  } else if (call == "MPI_Intercomm_create") {
    MPI_Comm self;
    MPI_Comm both;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank, 0, &self);
    MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, 1 - world.rank, 1, &both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&self);
  } else if (call == "MPI_Neighbor_allgather") {
    const int sizes[1] = {2};
    const int periods[1] = {1};
    int out[2] = {};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
    MPI_Neighbor_allgather(data, 1, MPI_INT, out, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
  } else if (call == "MPI_Cancel") {
    MPI_Request request;
    MPI_Irecv(data, 1, MPI_INT, 1 - world.rank, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (call == "MPI_Comm_idup") {
    MPI_Request request;
    MPI_Comm copy;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
  } else if (call == "MPI_Send") {
    // Of one rank only: the communicators that are made later are everybody's.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (world.rank == 0) MPI_Send(data, 1, MPI_INT, 17, 0, MPI_COMM_WORLD);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
  }
}

namespace {

int call_from_within(MPI_Comm, int, void*, void*, void*, int* flag) {
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
  *flag = 0;
  return MPI_SUCCESS;
}

}  // namespace

void run_within(const World&) {
  int key = 0;
  MPI_Comm copy;
  MPI_Comm_create_keyval(call_from_within, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free_keyval(&key);
}

void run_passed_by(const World&) {
  MPI_Barrier(MPI_COMM_WORLD);
  PMPI_Barrier(MPI_COMM_WORLD);
  int data = 0;
  PMPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

namespace {

// Of this thread: what others do on the machine does not count.
double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

void run_calls(const World& world, int count) {
  if (world.rank != 0) return;
  // The shortest call that leaves an event: to oneself.
  MPI_Request requests[2];
  int data[2] = {};
  const double start = cpu_seconds();
  for (int i = 0; i < count; ++i) {
    MPI_Irecv(&data[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&data[1], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  std::printf("%.1f\n", (cpu_seconds() - start) * 1e9 / (4.0 * count));
}
