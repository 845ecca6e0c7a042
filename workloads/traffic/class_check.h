// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What traffic or a class of it generates: from the message to checked values.
#pragma once

#include <vector>

#include "cosim/experiment/check/message_reader.h"
#include "fabrictwin/v1/traffic.pb.h"
#include "workloads/traffic/spec.h"

namespace fabrictwin::traffic {

/// The most classes of traffic.
inline constexpr int kMaxClasses = 16;

/// Reads what traffic without classes generates.
void check_only_class(const v1::Traffic& traffic, ClassSpec& spec, const experiment::MessageReader& reader);

/// Reads the classes of traffic that has some.
std::vector<ClassSpec> check_classes(const v1::Traffic& traffic, const experiment::MessageReader& reader);

}  // namespace fabrictwin::traffic
