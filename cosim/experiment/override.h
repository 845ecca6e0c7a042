// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes to an experiment from the command line: --set, --use, --seed.
#pragma once

#include <cstddef>
#include <string_view>

#include "cosim/experiment/location_map.h"
#include "cosim/experiment/source_text.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::experiment {

/// Applies one "path=value". Setting a member of a oneof drops the others, unless another argument has written them:
/// that is a mistake. A repeated number is written 4x4x2 and replaces the list; names of enum values are
/// case-insensitive. A text that is empty takes its field back to what it is where nobody writes it. A mistake is
/// reported in the argument and leaves the message unchanged.
void apply_set(const SourceText& argument, v1::Experiment& message, LocationMap& locations,
               DiagnosticList& diagnostics);

/// Applies one value of an argument that gives several of them. `offset` is the offset of the value in the argument.
void apply_value(const SourceText& argument, std::string_view path, std::string_view value, size_t offset,
                 v1::Experiment& message, LocationMap& locations, DiagnosticList& diagnostics);

/// Applies one "SELECT=IMPLEMENTATION[/DEPTH][@PLACE]": a `use` rule after all others.
void apply_use(const SourceText& argument, v1::Experiment& message, LocationMap& locations,
               DiagnosticList& diagnostics);

}  // namespace fabrictwin::experiment
