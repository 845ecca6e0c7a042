// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several figures read of reports and of earlier predictions.
#pragma once

#include <string_view>

#include "cosim/study/reproduction/reproduction.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::reproduction {

/// An earlier prediction, or NaN if there is none of that id.
double predicted(const Predictions& predictions, std::string_view id);

/// The first result of an OSU benchmark, that of a run or of its first job, in the unit of the benchmark, or NaN if
/// there is none. It has the signature of PublishedFigure::predicted and needs no earlier prediction.
double first_osu_result(const v1::Report& report, const Predictions& predictions);

}  // namespace fabrictwin::study::reproduction
