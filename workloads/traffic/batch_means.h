// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How sure a mean is: confidence intervals of means of batches.
#pragma once

#include <optional>
#include <span>

namespace fabrictwin {

/// Half the width of the 95 % confidence interval of the mean of `batches`, which are taken as independent and normal:
/// t s / sqrt(n), s being their standard deviation and t of Student's distribution with n - 1 degrees of freedom (Law,
/// "Simulation Modeling and Analysis", batch means). Nothing for fewer than two.
std::optional<double> confidence_95(std::span<const double> batches);

/// The two-sided 95 % point of Student's distribution with `degrees` of freedom, at least 1. Between the entries of the
/// table, from 30 on, that of the next smaller one, so that no interval is too narrow.
double student_t_95(size_t degrees);

}  // namespace fabrictwin
