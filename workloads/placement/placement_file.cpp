// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/placement_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "cosim/base/text.h"
#include "cosim/experiment/source_location.h"
#include "fmt/format.h"

namespace fabrictwin::placement {
namespace {

/// The most bytes of a line that a diagnostic shows.
constexpr size_t kShownBytes = 200;

absl::Status wrong(const std::string& file, int32_t line, const std::string& text, std::string_view part,
                   std::string_view message) {
  experiment::SourceLocation location;
  location.file = file;
  location.line_text = text.substr(0, kShownBytes);
  location.line = line;
  location.column = static_cast<int32_t>(part.data() - text.data()) + 1;
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> read_placement(const std::string& file, int32_t hosts, int32_t ranks_per_host) {
  const auto unreadable = [&] {
    return absl::NotFoundError(fmt::format("{}: error: cannot read the placement: {}", file, std::strerror(errno)));
  };
  std::ifstream stream(file);
  if (!stream) return unreadable();
  std::vector<int32_t> host_of;
  std::vector<int32_t> ranks_on(static_cast<size_t>(hosts));
  std::string text;
  for (int32_t line = 1; std::getline(stream, text); ++line) {
    const std::string_view word = strip(std::string_view(text).substr(0, text.find('#')));
    if (word.empty()) continue;
    int32_t host = -1;
    if (!parse_number(word, host) || host < 0 || host >= hosts) {
      return wrong(file, line, text, word,
                   fmt::format("\"{}\" is not the number of a host; write 0 to {}, one on a line",
                               word.substr(0, kShownBytes), hosts - 1));
    }
    if (++ranks_on[static_cast<size_t>(host)] > ranks_per_host) {
      return wrong(file, line, text, word,
                   fmt::format("rank {} would be one more than the {} that host {} may have; write another host, or "
                               "ranks_per_host: {} in the placement",
                               host_of.size(), ranks_per_host, host, ranks_per_host + 1));
    }
    host_of.push_back(host);
  }
  if (stream.bad()) return unreadable();
  return host_of;
}

}  // namespace fabrictwin::placement
