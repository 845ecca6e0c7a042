// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fabrictwin/v1/nanet.pb.h"

namespace fabrictwin::report {

/// What a card did with datagrams, as the report of a run has it.
std::string nanet_text(const v1::NanetReport& nanet);

}  // namespace fabrictwin::report
