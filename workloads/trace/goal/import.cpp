// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/goal/import.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "workloads/trace/format/writer.h"
#include "workloads/trace/goal/schedule.h"

namespace fabrictwin::trace::goal {
namespace {

namespace fs = std::filesystem;

struct Word {
  std::string_view text;
  int32_t column = 1;
};

// Splits a line at blanks; "{", "}" and ":" are words of their own. A comment "//" or "#" ends the line; one that
// begins with "/*" may span lines, and `inside` says whether the line begins in one.
std::vector<Word> words_of(std::string_view line, bool& inside) {
  std::vector<Word> words;
  size_t at = 0;
  const auto single = [](char c) { return c == '{' || c == '}' || c == ':'; };
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == ';'; };
  while (at < line.size()) {
    if (inside || line.substr(at, 2) == "/*") {
      const size_t end = line.find("*/", inside ? at : at + 2);
      inside = end == std::string_view::npos;
      if (inside) break;
      at = end + 2;
      continue;
    }
    if (blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#' || line.substr(at, 2) == "//") break;
    const size_t begin = at++;
    while (!single(line[begin]) && at < line.size() && !blank(line[at]) && !single(line[at])) ++at;
    words.push_back({line.substr(begin, at - begin), static_cast<int32_t>(begin) + 1});
  }
  return words;
}

// A statement ends after "{" or before "}", as "rank 0 {" and "}" may share a line with what is between them.
size_t end_of_statement(const std::vector<Word>& words, size_t begin) {
  size_t end = begin;
  while (end < words.size() && words[end].text != "{" && words[end].text != "}") ++end;
  return end < words.size() && (words[end].text == "{" || end == begin) ? end + 1 : end;
}

class GoalImporter {
 public:
  GoalImporter(std::string file, uint64_t bytes, std::string out)
      : file_(std::move(file)), bytes_(bytes), out_(std::move(out)) {}

  absl::Status run(std::istream& input) {
    while (std::getline(input, line_)) {
      ++number_;
      const std::vector<Word> words = words_of(line_, inside_comment_);
      for (size_t begin = 0; begin < words.size();) {
        const size_t end = end_of_statement(words, begin);
        words_.assign(words.begin() + static_cast<std::ptrdiff_t>(begin),
                      words.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
        if (absl::Status status = read_statement(); !status.ok()) return status;
      }
    }
    words_.clear();
    ++number_;
    line_.clear();
    if (input.bad()) return absl::UnavailableError(fmt::format("{}: cannot be read", file_));
    if (!writer_) return error(0, "the file has no num_ranks");
    if (inside_) return error(0, "rank {} does not end; is the file cut off?", rank_);
    // As in LogGOPSim, all ranks are required: a rank that does nothing has an empty one.
    const auto missing = std::find(seen_.begin(), seen_.end(), false);
    if (missing != seen_.end())
      return error(0, "rank {} has no schedule; is the file cut off?", missing - seen_.begin());
    return writer_->finish();
  }

 private:
  template <typename... Arguments>
  absl::Status error(size_t word, fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    const int32_t column = word < words_.size() ? words_[word].column : static_cast<int32_t>(strip(line_).size()) + 1;
    std::string quoted = line_.substr(0, 160);
    for (char& letter : quoted) letter = letter < 0x20 || letter > 0x7e ? ' ' : letter;
    const experiment::SourceLocation location{.file = file_, .line_text = quoted, .line = number_, .column = column};
    return absl::InvalidArgumentError(
        experiment::format_diagnostic(location, fmt::format(text, std::forward<Arguments>(arguments)...)));
  }

  std::string_view word(size_t i) const { return i < words_.size() ? words_[i].text : std::string_view(); }

  absl::Status read_statement() {
    if (!writer_) return read_ranks();
    if (!inside_) return begin_rank();
    if (word(0) == "}") return end_rank();
    if (word(1) == ":") return read_operation(std::string(word(0)), 2);
    if (word(0) == "send" || word(0) == "recv" || word(0) == "calc") return read_operation("", 0);
    return read_dependency();
  }

  absl::Status read_ranks() {
    uint32_t ranks = 0;
    if (word(0) != "num_ranks") return error(0, "the file must begin with 'num_ranks N'");
    if (!parse_number(word(1), ranks) || ranks == 0 || ranks > format::kMaxRanks)
      return error(1, "the number of ranks must be 1 to {}", format::kMaxRanks);
    // Each rank takes memory, so a typing error must not make millions of them.
    if (ranks > bytes_) return error(1, "the file has {} bytes, too few for so many ranks", bytes_);
    if (words_.size() > 2) return error(2, "nothing is expected here");
    format::Info info;
    info.ranks = ranks;
    info.application = fs::path(file_).stem().string();
    if (!is_utf8(info.application)) info.application = "goal";
    info.source = "GOAL schedule";
    absl::StatusOr<std::unique_ptr<format::Writer>> writer = format::Writer::create(out_, info);
    if (!writer.ok()) return writer.status();
    writer_ = *std::move(writer);
    seen_.assign(ranks, false);
    return absl::OkStatus();
  }

  absl::Status begin_rank() {
    if (word(0) != "rank" || !parse_number(word(1), rank_) || word(2) != "{")
      return error(0, "here 'rank N {{' is expected");
    if (rank_ >= seen_.size()) return error(1, "the schedule has ranks 0 to {}", seen_.size() - 1);
    if (seen_[rank_]) return error(1, "rank {} is there twice", rank_);
    seen_[rank_] = inside_ = true;
    schedule_ = Schedule();
    return absl::OkStatus();
  }

  absl::Status end_rank() {
    std::vector<format::Event> events;
    std::string circle;
    if (!schedule_.order(static_cast<int32_t>(rank_), events, circle))
      return error(0, "operations of rank {} wait for each other: {}", rank_, circle);
    for (const format::Event& event : events) {
      if (absl::Status status = writer_->append(rank_, event); !status.ok()) return status;
    }
    inside_ = false;
    return writer_->flush(rank_);
  }

  // Parses "calc 100", "send 8b to 1 tag 5", "recv 8b from 1"; then "cpu 0" and "nic N". A label may precede it.
  absl::Status read_operation(const std::string& label, size_t at) {
    format::Event event;
    size_t next = at + 2;
    if (word(at) == "calc") {
      constexpr int64_t kMostNs = std::numeric_limits<int64_t>::max() / 1'000'000;
      int64_t ns = 0;
      const std::string_view digits = word(at + 1);
      if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return error(at + 1, "this is not a time in nanoseconds");
      if (!parse_number(digits, ns) || ns >= kMostNs)
        return error(at + 1, "this is longer than simulated time can be: less than {} ns are possible", kMostNs);
      event.action = v1::COMPUTE;
      event.duration = Time::from_ns(ns);
    } else if (word(at) == "send" || word(at) == "recv") {
      if (absl::Status status = read_message(at, event); !status.ok()) return status;
      next = at + 4;
    } else {
      return error(at, "an operation is calc, send or recv");
    }
    for (; next < words_.size(); next += 2) {
      uint32_t value = 0;
      if (word(next) == "tag" && event.action == v1::IRECV && word(next + 1) == "-1") {
        event.tag = format::kAnyTag;
        continue;
      }
      const bool tag = word(next) == "tag" && event.action != v1::COMPUTE;
      if (!tag && word(next) != "cpu" && word(next) != "nic")
        return error(next, "here {} is expected; write each operation in a line of its own",
                     event.action == v1::COMPUTE ? "cpu or nic" : "tag, cpu or nic");
      constexpr uint32_t kMost = std::numeric_limits<int32_t>::max();
      if (!parse_number(word(next + 1), value) || value > kMost)
        return error(next + 1, "{} is a number from 0 to {}", word(next), kMost);
      if (tag) event.tag = static_cast<int32_t>(value);
      if (word(next) == "cpu" && value != 0) return absl::UnimplementedError(message_of_error(next + 1));
    }
    if (!schedule_.add(label, event)) return error(0, "label {} is there twice", label);
    return absl::OkStatus();
  }

  std::string message_of_error(size_t word) const {
    return std::string(message_of(error(word, "only processor 0 is supported: a rank does one thing at a time")));
  }

  absl::Status read_message(size_t at, format::Event& event) const {
    const bool send = word(at) == "send";
    std::string_view size = word(at + 1);
    if (size.ends_with('b')) size.remove_suffix(1);
    if (!parse_number(size, event.count) || event.count > format::kMaxMessageBytes)
      return error(at + 1, "this is not a size as in 64b, at most {}b", format::kMaxMessageBytes);
    if (word(at + 2) != (send ? "to" : "from")) return error(at + 2, "here '{}' is expected", send ? "to" : "from");
    event.action = send ? v1::ISEND : v1::IRECV;
    if (!send && word(at + 3) == "-1") {
      event.peer = format::kAnySource;
      return absl::OkStatus();
    }
    if (!parse_number(word(at + 3), event.peer) || event.peer < 0 || static_cast<size_t>(event.peer) >= seen_.size())
      return error(at + 3, "this is not one of the ranks 0 to {}", seen_.size() - 1);
    return absl::OkStatus();
  }

  absl::Status read_dependency() {
    const bool start_only = word(1) == "irequires";
    if ((!start_only && word(1) != "requires") || words_.size() != 3)
      return error(0, "here an operation, 'LABEL requires LABEL' or '}}' is expected");
    if (!schedule_.require(std::string(word(0)), std::string(word(2)), start_only))
      return error(0, "{} and {} must be labels of operations above", word(0), word(2));
    return absl::OkStatus();
  }

  std::string file_;
  uint64_t bytes_ = 0;
  std::string out_;
  std::string line_;
  std::vector<Word> words_;
  int32_t number_ = 0;
  std::unique_ptr<format::Writer> writer_;
  std::vector<bool> seen_;
  uint32_t rank_ = 0;
  bool inside_ = false;
  bool inside_comment_ = false;
  Schedule schedule_;
};

}  // namespace

absl::Status import_goal(const std::string& path, const std::string& out) {
  std::error_code code;
  const fs::path file = fs::is_directory(path, code) ? fs::path(path) / "trace.goal" : fs::path(path);
  std::ifstream input(file);
  if (!input || fs::is_directory(file, code))
    return absl::NotFoundError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
  const uintmax_t bytes = fs::file_size(file, code);
  return GoalImporter(file.string(), code ? 0 : bytes, out).run(input);
}

}  // namespace fabrictwin::trace::goal
