// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "programs.h"

void run_modes(const World& world) {
  const int other = 1 - world.rank;
  std::vector<char> buffer(4096);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  int numbers[10] = {};
  double reals[3] = {};
  char letters[5] = {};
  MPI_Request requests[4];
  if (world.rank == 0) {
    MPI_Send(numbers, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Ssend(reals, 3, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(letters, 1, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    MPI_Bsend(letters, 5, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
    MPI_Isend(numbers, 0, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(reals, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibsend(letters, 2, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &requests[2]);
    MPI_Irsend(letters, 3, MPI_CHAR, 1, 8, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Request ready[2];
    MPI_Irecv(letters, 1, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &ready[0]);
    MPI_Irecv(letters, 3, MPI_CHAR, 0, 8, MPI_COMM_WORLD, &ready[1]);
    MPI_Recv(numbers, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(reals, 3, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&ready[0], MPI_STATUS_IGNORE);
    for (int tag = 4; tag <= 7; ++tag) MPI_Recv(numbers, 40, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&ready[1], MPI_STATUS_IGNORE);
  }
  float there = 0;
  short back[2] = {};
  MPI_Sendrecv(&there, world.rank == 0 ? 1 : 0, MPI_FLOAT, other, 9, back, 2, MPI_SHORT, other, 9, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(numbers, 2, MPI_INT, other, 10, other, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Half of it, and nothing at all.
  MPI_Sendrecv(numbers, 1, MPI_INT, world.rank == 0 ? 1 : MPI_PROC_NULL, 11, reals, 1, MPI_INT,
               world.rank == 0 ? MPI_PROC_NULL : 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(numbers, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(numbers, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int size = 0;
  void* detached = nullptr;
  MPI_Buffer_detach(&detached, &size);
}

void run_completion(const World& world) {
  char data[16] = {};
  if (world.rank == 0) {
    for (int tag = 0; tag < 14; ++tag) MPI_Send(data, 1, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
    // A send that nobody waits for.
    MPI_Request request;
    MPI_Isend(data, 1, MPI_CHAR, 1, 14, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  MPI_Request requests[15];
  for (int tag = 0; tag < 15; ++tag) MPI_Irecv(data + tag, 1, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &requests[tag]);
  MPI_Barrier(MPI_COMM_WORLD);
  const auto only = [&](int tag) {
    std::vector<MPI_Request> some(3, MPI_REQUEST_NULL);
    some[1] = requests[tag];
    return some;
  };
  int index = 0;
  int flag = 0;
  int count = 0;
  int indices[3];
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);  // Nothing any more.
  std::vector<MPI_Request> some = only(2);
  MPI_Waitany(3, some.data(), &index, MPI_STATUS_IGNORE);
  MPI_Waitany(3, some.data(), &index, MPI_STATUS_IGNORE);
  some = only(3);
  MPI_Waitsome(3, some.data(), &count, indices, MPI_STATUSES_IGNORE);
  MPI_Waitsome(3, some.data(), &count, indices, MPI_STATUSES_IGNORE);
  while (flag == 0) MPI_Test(&requests[4], &flag, MPI_STATUS_IGNORE);
  some = only(5);
  for (flag = 0; flag == 0;) MPI_Testany(3, some.data(), &index, &flag, MPI_STATUS_IGNORE);
  some = only(6);
  for (count = 0; count == 0;) MPI_Testsome(3, some.data(), &count, indices, MPI_STATUSES_IGNORE);
  for (flag = 0; flag == 0;) MPI_Testall(2, &requests[7], &flag, MPI_STATUSES_IGNORE);
  // Some of those that are outstanding, one of which moves nothing; then all.
  MPI_Request nobody[3];
  MPI_Irecv(data, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &nobody[0]);
  nobody[1] = requests[9];
  nobody[2] = requests[10];
  MPI_Waitall(3, nobody, MPI_STATUSES_IGNORE);
  MPI_Waitall(4, &requests[11], MPI_STATUSES_IGNORE);
}

void run_persistent(const World& world) {
  const int other = 1 - world.rank;
  int data[4] = {};
  MPI_Request requests[3];
  MPI_Send_init(data, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(data + 2, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv_init(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[2]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(3, requests);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);  // None is active.
  }
  MPI_Start(&requests[1]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  // Modes; the buffered one has to wait for no one.
  std::vector<char> buffer(1024);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  MPI_Ssend_init(data, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Bsend_init(data, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Rsend_init(data, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[2]);
  MPI_Request receives[3];
  for (int i = 0; i < 3; ++i) MPI_Irecv(data + 1 + i, 1, MPI_INT, other, 2 + i, MPI_COMM_WORLD, &receives[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Startall(3, requests);
  MPI_Waitall(3, receives, MPI_STATUSES_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  int size = 0;
  void* detached = nullptr;
  MPI_Buffer_detach(&detached, &size);
}

void run_probes(const World& world) {
  int data = 0;
  if (world.rank != 0) {
    for (int tag = 1; tag <= 5; ++tag) MPI_Send(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    return;
  }
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int flag = 0;
  MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
  MPI_Recv(&data, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (flag == 0) MPI_Iprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  for (flag = 0; flag == 0;) MPI_Improbe(1, 5, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(&data, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void run_datatypes(const World& world) {
  MPI_Datatype column;
  MPI_Datatype pair;
  MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
  MPI_Type_contiguous(3, MPI_INT, &pair);
  MPI_Type_commit(&column);
  MPI_Type_commit(&pair);
  double matrix[16] = {};
  int numbers[12] = {};
  const auto move = [&](void* buffer, int count, MPI_Datatype type, int tag) {
    if (world.rank == 0) {
      MPI_Send(buffer, count, type, 1, tag, MPI_COMM_WORLD);
    } else {
      MPI_Recv(buffer, count, type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  };
  move(matrix, 1, column, 0);
  move(numbers, 4, pair, 1);
  MPI_Datatype predefined[] = {MPI_CHAR,      MPI_SHORT, MPI_INT,    MPI_UNSIGNED, MPI_LONG,    MPI_UNSIGNED_LONG,
                               MPI_LONG_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_BYTE,     MPI_INT64_T, MPI_UINT32_T};
  int tag = 2;
  for (MPI_Datatype type : predefined) move(matrix, 2, type, tag++);
  move(matrix, 1, MPI_C_DOUBLE_COMPLEX, tag);
  struct {
    double value = 0;
    int place = 0;
  } least, all;
  MPI_Allreduce(&least, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  MPI_Type_free(&column);
  MPI_Type_free(&pair);
}
