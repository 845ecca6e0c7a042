// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Independent work side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace fabrictwin {

/// Does work(0) to work(count - 1), each once, begun in this order, on `threads` threads, or in this one if there is to
/// be one. After `stop` was requested nothing more is begun. Returns when all that was begun has ended. `work` does not
/// throw.
void do_jobs(size_t count, int threads, const std::stop_token& stop, const std::function<void(size_t)>& work);

}  // namespace fabrictwin
