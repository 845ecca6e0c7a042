// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What Grafana makes of the texts of a panel.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fabrictwin::test {

/// A text with the values of its variables, $name and ${name}. Those without a value stay.
std::string fill_variables(std::string_view text, const std::map<std::string, std::string>& variables);

/// The name of a series in a legend: `format` with the labels that it names as {{label}}, an empty text for those that
/// are missing; without a format the series as queries write it, name{label="value"}.
std::string legend_text(std::string_view format, const std::map<std::string, std::string>& labels);

/// A text as the value of a parameter of a URL.
std::string url_encoded(std::string_view text);

}  // namespace fabrictwin::test
