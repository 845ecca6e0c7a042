// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "programs.h"

namespace {

// Of 4 ranks, the r-th has r + 1 of something.
const int kCounts[4] = {1, 2, 3, 4};
const int kPlaces[4] = {0, 1, 3, 6};
const int kOnes[4] = {1, 1, 1, 1};
const int kOnePlaces[4] = {0, 1, 2, 3};

}  // namespace

void run_collectives(const World& world) {
  int in[16] = {};
  int out[16] = {};
  const int mine = world.rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(in, 5, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Reduce(in, out, 3, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Allreduce(in, out, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Scan(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(in, 8, MPI_BYTE, out, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(in, mine, MPI_INT, out, kCounts, kPlaces, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(in, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD);
  // Rank r sends c + 1 to rank c and so gets r + 1 from each.
  const std::vector<int> received(4, mine);
  const int places[4] = {0, mine, 2 * mine, 3 * mine};
  MPI_Alltoallv(in, kCounts, kPlaces, MPI_INT, out, received.data(), places, MPI_INT, MPI_COMM_WORLD);
  const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  const int bytes[4] = {0, 4, 8, 12};
  MPI_Alltoallw(in, kOnes, bytes, types, out, kOnes, bytes, types, MPI_COMM_WORLD);
  // What is of no meaning on other ranks than the root is nonsense there.
  const bool root = world.rank == 3;
  MPI_Gather(in, 2, MPI_INT, root ? out : nullptr, root ? 8 : -1, root ? MPI_BYTE : MPI_DATATYPE_NULL, 3,
             MPI_COMM_WORLD);
  MPI_Gatherv(in, mine, MPI_INT, out, root ? kCounts : nullptr, root ? kPlaces : nullptr, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Scatter(root ? in : nullptr, root ? 2 : -1, root ? MPI_INT : MPI_DATATYPE_NULL, out, 2, MPI_INT, 3,
              MPI_COMM_WORLD);
  MPI_Scatterv(in, root ? kCounts : nullptr, root ? kPlaces : nullptr, MPI_INT, out, mine, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Reduce_scatter(in, out, kCounts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(in, out, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

void run_in_place(const World& world) {
  int data[16] = {};
  int out[16] = {};
  const bool root = world.rank == 0;
  MPI_Reduce(root ? MPI_IN_PLACE : data, root ? data : nullptr, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, data, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, kCounts, kPlaces, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, data, kOnes, kOnePlaces, MPI_INT, MPI_COMM_WORLD);
  if (root) {
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, kCounts, kPlaces, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(data, 2, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Scatterv(data, kCounts, kPlaces, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  } else {
    MPI_Gather(data, 2, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Gatherv(data, world.rank + 1, MPI_INT, nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, out, world.rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
}

void run_nonblocking(const World& world) {
  int in[16] = {};
  int out[16][16] = {};
  const int mine = world.rank + 1;
  const std::vector<int> received(4, mine);
  const int places[4] = {0, mine, 2 * mine, 3 * mine};
  MPI_Request requests[16];
  MPI_Request* next = requests;
  MPI_Ibarrier(MPI_COMM_WORLD, next++);
  MPI_Ibcast(out[1], 5, MPI_INT, 2, MPI_COMM_WORLD, next++);
  MPI_Ireduce(in, out[2], 3, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, next++);
  MPI_Iallreduce(in, out[3], 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD, next++);
  MPI_Iscan(in, out[4], 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
  MPI_Iexscan(in, out[5], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
  MPI_Iallgather(in, 2, MPI_INT, out[6], 2, MPI_INT, MPI_COMM_WORLD, next++);
  MPI_Iallgatherv(in, mine, MPI_INT, out[7], kCounts, kPlaces, MPI_INT, MPI_COMM_WORLD, next++);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  next = requests;
  MPI_Ialltoall(in, 2, MPI_INT, out[0], 2, MPI_INT, MPI_COMM_WORLD, next++);
  MPI_Ialltoallv(in, kCounts, kPlaces, MPI_INT, out[1], received.data(), places, MPI_INT, MPI_COMM_WORLD, next++);
  MPI_Igather(in, 2, MPI_INT, out[2], 2, MPI_INT, 0, MPI_COMM_WORLD, next++);
  MPI_Igatherv(in, mine, MPI_INT, out[3], kCounts, kPlaces, MPI_INT, 0, MPI_COMM_WORLD, next++);
  MPI_Iscatter(in, 2, MPI_INT, out[4], 2, MPI_INT, 0, MPI_COMM_WORLD, next++);
  MPI_Iscatterv(in, kCounts, kPlaces, MPI_INT, out[5], mine, MPI_INT, 0, MPI_COMM_WORLD, next++);
  MPI_Ireduce_scatter(in, out[6], kCounts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
  MPI_Ireduce_scatter_block(in, out[7], 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, next++);
  for (int i = 7; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

void run_communicators(const World& world) {
  int data[4] = {};
  // Two halves, each in the opposite order of the world.
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, -world.rank, &half);
  int rank = 0;
  MPI_Comm_rank(half, &rank);
  MPI_Bcast(data, 1, MPI_INT, 0, half);
  if (rank == 0) {
    MPI_Send(data, 1, MPI_INT, 1, 7, half);
  } else {
    MPI_Recv(data, 1, MPI_INT, 0, 7, half, MPI_STATUS_IGNORE);
  }
  const int counts[2] = {1, 1};
  const int places[2] = {0, 1};
  int out[4] = {};
  MPI_Alltoallv(data, counts, places, MPI_INT, out, counts, places, MPI_INT, half);
  // A copy of the world, while the halves are there; then another with the number that the halves had.
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&half);
  MPI_Comm again;
  MPI_Comm_dup(copy, &again);
  MPI_Comm_free(&copy);
  // The middle ones by themselves: they have more numbers in use than the others.
  MPI_Group all;
  MPI_Group middle;
  const int members[2] = {2, 1};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, members, &middle);
  MPI_Comm pair;
  MPI_Comm_create(MPI_COMM_WORLD, middle, &pair);
  MPI_Comm second = MPI_COMM_NULL;
  if (world.rank == 1 || world.rank == 2) MPI_Comm_create_group(MPI_COMM_WORLD, middle, 0, &second);
  // A grid and its rows.
  const int sizes[2] = {2, 2};
  const int periods[2] = {0, 0};
  const int remain[2] = {0, 1};
  MPI_Comm grid;
  MPI_Comm row;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  MPI_Cart_sub(grid, remain, &row);
  MPI_Allreduce(data, out, 1, MPI_INT, MPI_SUM, row);
  // Alone.
  MPI_Allreduce(data, out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  for (MPI_Comm* comm : {&pair, &second, &row, &grid, &again}) {
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
  }
  MPI_Group_free(&middle);
  MPI_Group_free(&all);
}
