// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/provenance.pb.h"

namespace fabrictwin::dashboards::history {

/// What tells the experiment of a result from others: XXH3 of its text, 64 bits, in hexadecimal; empty for an empty
/// text. Of a path that the experiment names, and `inputs` has, only the last folder and the name count, so that
/// results from two checkouts are of one experiment.
std::string experiment_key(const v1::Provenance& provenance);

}  // namespace fabrictwin::dashboards::history
