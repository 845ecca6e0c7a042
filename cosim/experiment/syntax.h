// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of reading an experiment: protobuf text format to message, with helpful errors.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string_view>
#include <vector>

#include "cosim/experiment/location_map.h"
#include "cosim/experiment/source_text.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::experiment {

/// Parses `source` into `message` and records the source locations of its fields. Unknown fields and enum values are
/// all reported, with the nearest right name; other mistakes of syntax end the parse. Mistakes are added to
/// `diagnostics`.
void parse_experiment_syntax(const SourceText& source, v1::Experiment& message, LocationMap& locations,
                             DiagnosticList& diagnostics);

/// Names of the fields of a message type, in order.
std::vector<std::string_view> field_names(const google::protobuf::Descriptor& type);
/// Names of the values of an enum that a user may choose (without the unspecified zero).
std::vector<std::string_view> enum_names(const google::protobuf::EnumDescriptor& type);

}  // namespace fabrictwin::experiment
