// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of the OSU benchmarks, as a message and as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {

/// The results of those of `sizes` that all ranks have completed, in order. `elapsed` has for each rank the time of the
/// measured iterations of each size that it has completed; for ONE_WAY_LAT, the sums of one-way latencies, from the
/// second rank.
v1::OsuReport osu_report(const OsuSpec& spec, const std::vector<Bytes>& sizes,
                         const std::vector<std::vector<Time>>& elapsed);

/// The report as the suite prints it: a title, the names of the columns, a line for each size.
std::string osu_text(const v1::OsuReport& report);

}  // namespace fabrictwin::osu
