// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::job {

/// Adds the jobs of a report beside each other, if there are several, for people.
void add_jobs_table(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::job
