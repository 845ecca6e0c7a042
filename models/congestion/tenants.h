// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All schemes of congestion management.
#pragma once

#include <span>

#include "cosim/experiment/tenants.h"
#include "models/congestion/scheme.h"

namespace fabrictwin::congestion {

/// In the order in which texts name them.
std::span<const experiment::CongestionCheck* const> schemes();

/// The scheme of an experiment, which has been checked; null if it has none.
const Scheme* scheme_of(const experiment::Experiment& experiment);

}  // namespace fabrictwin::congestion
