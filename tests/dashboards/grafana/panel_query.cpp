// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/panel_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cosim/base/text.h"

namespace fabrictwin::test {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A series as queries write it.
std::string series_text(const std::map<std::string, std::string>& labels) {
  std::string name, inside;
  for (const auto& [label, value] : labels) {
    if (label == "__name__") {
      name = value;
    } else {
      inside += fmt::format("{}{}=\"{}\"", inside.empty() ? "" : ", ", label, value);
    }
  }
  return inside.empty() && !name.empty() ? name : fmt::format("{}{{{}}}", name, inside);
}

}  // namespace

std::string fill_variables(std::string_view text, const std::map<std::string, std::string>& variables) {
  std::string filled;
  while (!text.empty()) {
    const size_t dollar = text.find('$');
    filled += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar);
    const bool braced = text.size() > 1 && text[1] == '{';
    const size_t begin = braced ? 2 : 1;
    const auto* const end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_of_name);
    const std::string_view name = text.substr(begin, static_cast<size_t>(end - text.begin()) - begin);
    size_t length = begin + name.size();
    const bool closed = !braced || (length < text.size() && text[length] == '}');
    if (braced && closed) ++length;
    const auto value = closed ? variables.find(std::string(name)) : variables.end();
    filled += value == variables.end() ? text.substr(0, length) : std::string_view(value->second);
    text.remove_prefix(length);
  }
  return filled;
}

std::string legend_text(std::string_view format, const std::map<std::string, std::string>& labels) {
  if (format.empty()) return series_text(labels);
  std::string legend;
  while (!format.empty()) {
    const size_t open = format.find("{{");
    const size_t close = open == std::string_view::npos ? open : format.find("}}", open);
    if (close == std::string_view::npos) {
      legend += format;
      break;
    }
    legend += format.substr(0, open);
    const auto label = labels.find(std::string(strip(format.substr(open + 2, close - open - 2))));
    if (label != labels.end()) legend += label->second;
    format.remove_prefix(close + 2);
  }
  return std::string(strip(legend));
}

std::string url_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace fabrictwin::test
