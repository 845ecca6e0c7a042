// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the OSU benchmarks print, as a message and as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/run/job_spec.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// The results of the sizes that all ranks have ended, of `sizes` in order. `elapsed` has for each rank the time of the
/// measured iterations of each size that it has ended. Of ONE_WAY_LAT, the sums of one-way latencies, by the second
/// rank.
v1::OsuReport osu_report(const OsuSpec& spec, const std::vector<Bytes>& sizes,
                         const std::vector<std::vector<Time>>& elapsed);

/// As the suite prints it: a title, the names of the columns, a line for each size.
std::string osu_text(const v1::OsuReport& report);

}  // namespace fabrictwin
