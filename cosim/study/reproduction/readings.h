// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several figures read of reports and of earlier predictions.
#pragma once

#include <cstdint>
#include <string_view>

#include "cosim/study/reproduction/reproduction.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::reproduction {

/// An earlier prediction, or NaN if there is none of that id.
double predicted(const Predictions& predictions, std::string_view id);

/// The first result of an OSU benchmark, that of a run or of its first job, in the unit of the benchmark, or NaN if
/// there is none. It has the signature of PublishedFigure::predicted and needs no earlier prediction.
double first_osu_result(const v1::Report& report, const Predictions& predictions);

/// The result of an OSU benchmark, that of a run or of its first job, for a size; `value` and `max` are NaN if it has
/// not reached it.
v1::OsuResult result_of(const v1::Report& report, uint64_t bytes);

}  // namespace fabrictwin::study::reproduction
