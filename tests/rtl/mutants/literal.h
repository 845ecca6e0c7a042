// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fabrictwin::mutants {

/// A SystemVerilog literal that is one more, or one less where there is no more in its width; nothing for one with
/// unknown bits, of more than 63 bits, or that is no integer.
std::optional<std::string> neighbour(std::string_view literal);

}  // namespace fabrictwin::mutants
