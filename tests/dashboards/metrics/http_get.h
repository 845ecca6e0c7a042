// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The least of an HTTP client, for tests that scrape.
#pragma once

#include <cstdint>
#include <string>

namespace fabrictwin {

/// The body that 127.0.0.1:port answers to GET `path` with, or an empty string on any failure (which is not a test's
/// usual outcome).
std::string http_get(uint16_t port, const std::string& path);

}  // namespace fabrictwin
