// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/communicator_table.h"

#include <numeric>
#include <utility>

namespace fabrictwin::recorder {

void CommunicatorTable::fill() {
  used_.set(0);
  used_.set(kSelfNumber);
  world_ = &keep(MPI_COMM_WORLD, 0);
}

Communicator& CommunicatorTable::keep(MPI_Comm comm, uint32_t number) {
  auto communicator = std::make_unique<Communicator>();
  communicator->number = number;
  MPI_Group group;
  MPI_Group world;
  int size = 0;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, &size);
  PMPI_Group_rank(group, &communicator->rank);
  std::vector<int> ranks(static_cast<size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  communicator->members.resize(ranks.size());
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, communicator->members.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  std::unique_ptr<Communicator>& kept = known_[handle_key(comm)];
  kept = std::move(communicator);
  return *kept;
}

void CommunicatorTable::agree(MPI_Comm comm, uint32_t (&words)[64]) {
  PMPI_Allreduce(MPI_IN_PLACE, words, 64, MPI_UNSIGNED, MPI_BOR, comm);
}

uint32_t CommunicatorTable::add(MPI_Comm comm) {
  static_assert(kHighestCommunicator + 1 == 64 * 32);
  uint32_t words[64] = {};
  for (uint32_t number = 0; number <= kHighestCommunicator; ++number) {
    words[number / 32] |= uint32_t{used_[number]} << (number % 32);
  }
  agree(comm, words);
  for (uint32_t number = 1; number < kHighestCommunicator; ++number) {
    if ((words[number / 32] >> (number % 32) & 1) != 0) continue;
    used_.set(number);
    last_ = 0;
    keep(comm, number);
    return number;
  }
  return 0;
}

void CommunicatorTable::add_unrecorded(MPI_Comm comm) {
  uint32_t words[64] = {};
  agree(comm, words);
}

const Communicator& CommunicatorTable::add_self() { return keep(MPI_COMM_SELF, kSelfNumber); }

void CommunicatorTable::remove(MPI_Comm comm) {
  const uint64_t key = handle_key(comm);
  used_.reset((*known_.find(key))->number);
  known_.erase(key);
  last_ = 0;
}

}  // namespace fabrictwin::recorder
