// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of traffic in words.
#pragma once

#include <string>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::report {

/// Appends what a report says of classes of traffic; nothing if it says nothing.
void add_classes(const v1::Report& report, std::string& text);

}  // namespace fabrictwin::report
