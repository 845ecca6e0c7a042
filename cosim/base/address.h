// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of processes, as users write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fabrictwin {

/// True for "HOST:PORT" (a port from 1 to 65535; an IPv6 host in brackets) and "unix:PATH".
bool is_address(std::string_view text);

/// True for what a process can listen at: as is_address(), and port 0 for any that is free; the path of a socket has at
/// most as many bytes as Linux takes.
bool is_listen_address(std::string_view text);

/// True for what begins like a rank of MPI, and is no address for that reason.
bool is_mpi(std::string_view text);

/// The rank that "mpi:RANK" names, from 1 on and without leading zeros; nothing if the text is no such one.
std::optional<int32_t> mpi_rank(std::string_view text);

}  // namespace fabrictwin
