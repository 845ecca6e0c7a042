// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests and match keys as text for users.
#pragma once

#include <string>

#include "workloads/mpi/protocol/request_table.h"

namespace fabrictwin::mpi::protocol {

/// "rank 3", "any rank".
std::string peer_text(int32_t rank);
/// "rank 3, tag 7", "any rank, any tag of communicator 2", "rank 3, collective 5".
std::string key_text(const MatchKey& key);
/// What an unfinished request waits for: "a message from rank 3, tag 7".
std::string wait_text(const MpiRequest& request);

}  // namespace fabrictwin::mpi::protocol
