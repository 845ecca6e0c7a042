// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Confidence intervals of means of batches.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace fabrictwin::traffic {

/// Half the width of the 95 % confidence interval of the mean of `batches`, which are assumed to be independent and
/// normal: t s / sqrt(n), where s is their standard deviation and t of Student's distribution with n - 1 degrees of
/// freedom (Law, "Simulation Modeling and Analysis", batch means). Nothing for fewer than two.
std::optional<double> confidence_95(std::span<const double> batches);

/// The two-sided 95 % point of Student's distribution with `degrees` of freedom, at least 1.
double student_t_95(size_t degrees);

}  // namespace fabrictwin::traffic
