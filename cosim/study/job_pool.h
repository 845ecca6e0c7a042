// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Independent jobs in parallel.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace fabrictwin::study {

/// Calls work(0) to work(count - 1) once each, started in this order, on `threads` threads, or in the calling one if
/// `threads` is 1. Beside other threads, jobs for which `here` is true are all done by the calling one, one after the
/// other, before it takes others. No job is started after `stop` was requested. Returns when all started jobs have
/// ended. `work` must not throw.
void do_jobs(size_t count, int threads, const std::stop_token& stop, const std::function<void(size_t)>& work,
             const std::function<bool(size_t)>& here = {});

}  // namespace fabrictwin::study
