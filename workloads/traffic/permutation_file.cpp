// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/permutation_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"

namespace fabrictwin::traffic {
namespace {

/// The most bytes of a line that a diagnostic shows.
constexpr size_t kShownBytes = 200;

/// One pass over the lines of a file.
class PermutationReader {
 public:
  PermutationReader(const std::string& file, int32_t hosts)
      : file_(file), hosts_(hosts), destinations_(static_cast<size_t>(hosts), -1), sources_(destinations_) {}

  absl::StatusOr<std::vector<int32_t>> read() {
    std::ifstream stream(file_);
    if (!stream)
      return absl::NotFoundError(
          fmt::format("{}: error: cannot open the permutation: {}", file_, std::strerror(errno)));
    while (std::getline(stream, text_)) {
      ++line_;
      if (absl::Status status = read_line(); !status.ok()) return status;
    }
    if (stream.bad())
      return absl::NotFoundError(
          fmt::format("{}: error: cannot read the permutation: {}", file_, std::strerror(errno)));
    text_.clear();
    ++line_;
    if (columns_ == 0) return wrong(text_, "the permutation is empty; write the destination of each host on a line");
    if (columns_ == 1 && rows_ < hosts_) {
      return wrong(text_, fmt::format("the permutation ends after {} of {} hosts; write a line for each, or lines of a "
                                      "source and its destination",
                                      rows_, hosts_));
    }
    return std::move(destinations_);
  }

 private:
  absl::Status wrong(std::string_view part, std::string_view message) const {
    experiment::SourceLocation location;
    location.file = file_;
    location.line_text = text_.substr(0, kShownBytes);
    location.line = line_;
    location.column = static_cast<int32_t>(part.data() - text_.data()) + 1;
    return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
  }

  absl::StatusOr<int32_t> read_host(std::string_view word) const {
    int32_t host = -1;
    if (!parse_number(word, host) || host < 0 || host >= hosts_) {
      return wrong(word, fmt::format("\"{}\" is not the number of a host; write 0 to {}", word.substr(0, kShownBytes),
                                     hosts_ - 1));
    }
    return host;
  }

  absl::Status read_line() {
    const std::string_view line = std::string_view(text_).substr(0, text_.find('#'));
    std::vector<std::string_view> words;
    for (const std::string_view word : split(line, " \t\r")) {
      if (!word.empty()) words.push_back(word);
    }
    if (words.empty()) return absl::OkStatus();
    if (words.size() > 2)
      return wrong(words[2], "a line has a destination, or a source and its destination, and nothing after that");
    if (columns_ == 0) columns_ = words.size();
    if (words.size() != columns_) {
      return wrong(words.back(), columns_ == 1 ? "the lines before have a destination only; write all lines alike"
                                               : "the lines before have a source and a destination; write all alike");
    }
    if (columns_ == 1 && rows_ == hosts_)
      return wrong(words[0], fmt::format("there are {} hosts, and this is a line for one more", hosts_));
    int32_t source = rows_++;
    if (columns_ == 2) {
      const absl::StatusOr<int32_t> first = read_host(words[0]);
      if (!first.ok()) return first.status();
      source = *first;
      if (destinations_[source] >= 0)
        return wrong(words[0],
                     fmt::format("host {} has a destination already, host {}", source, destinations_[source]));
    }
    const absl::StatusOr<int32_t> destination = read_host(words.back());
    if (!destination.ok()) return destination.status();
    if (sources_[*destination] >= 0) {
      return wrong(words.back(), fmt::format("host {} is the destination of host {} already; in a permutation no two "
                                             "have the same (pattern: INCAST has)",
                                             *destination, sources_[*destination]));
    }
    destinations_[source] = *destination;
    sources_[*destination] = source;
    return absl::OkStatus();
  }

  const std::string file_;
  const int32_t hosts_;
  std::vector<int32_t> destinations_;  ///< By source.
  std::vector<int32_t> sources_;       ///< By destination.
  std::string text_;                   ///< The current line.
  int32_t line_ = 0;
  int32_t rows_ = 0;    ///< Number of lines with numbers.
  size_t columns_ = 0;  ///< Numbers per line; 0 until the first line.
};

}  // namespace

absl::StatusOr<std::vector<int32_t>> read_permutation(const std::string& file, int32_t hosts) {
  return PermutationReader(file, hosts).read();
}

}  // namespace fabrictwin::traffic
