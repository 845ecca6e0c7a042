// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of processes, as users write them.
#pragma once

#include <string_view>

namespace fabrictwin {

/// True for "HOST:PORT" (a port from 1 to 65535; an IPv6 host in brackets) and "unix:PATH".
bool is_address(std::string_view text);

}  // namespace fabrictwin
