// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What comments of messages and tables of pages call a default, against the option default_text, which checks read.
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cosim/base/text.h"
#include "cosim/base/time.h"
#include "cosim/experiment/host_profiles.h"
#include "fabrictwin/v1/catalogue.pb.h"
#include "fabrictwin/v1/experiment.pb.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// The files of a folder with such a name, in order.
std::vector<std::string> files_of(const std::string& folder, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> lines_of(const std::string& file) { return absl::StrSplit(read_file(file), '\n'); }

/// Whether it is a value and not words about one.
bool is_value(const std::string& text) {
  static const std::regex kValue("[0-9].*|[A-Z][A-Z_0-9]+|true|false");
  return std::regex_match(text, kValue);
}

/// The values that a comment calls defaults, in their order.
std::vector<std::string> defaults_in(const std::string& comment) {
  static const std::regex kDefault(R"(\b[Dd]efault ((?:[0-9]+ )+[0-9]+|\S+?)[.,;:)]*(?=\s|$))");
  std::vector<std::string> values;
  for (std::sregex_iterator found(comment.begin(), comment.end(), kDefault), end; found != end; ++found) {
    if (is_value((*found)[1])) values.push_back((*found)[1]);
  }
  return values;
}

// A comment is of the fields behind it up to the next comment, and has their defaults in their order.
TEST(DefaultsTest, CommentsOfFieldsHaveThem) {
  static const std::regex kField(R"((?:optional |repeated )?[\w.]+ \w+ = \d+.*;)");
  static const std::regex kOption(R"re(\(default_text\) = "([^"]*)")re");
  size_t compared = 0;
  for (const std::string& file : files_of("proto/fabrictwin/v1", ".proto")) {
    const std::vector<std::string> lines = lines_of(file);
    std::vector<std::string> said;
    std::string comment;
    size_t field = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string line(strip(lines[i]));
      if (line.starts_with("//")) {
        if (i == 0 || !strip(lines[i - 1]).starts_with("//")) comment.clear();
        comment += line.substr(2);
        said = defaults_in(comment);
        field = 0;
      } else if (!std::regex_match(line, kField)) {
        said.clear();
      } else if (field < said.size()) {
        std::smatch option;
        EXPECT_TRUE(std::regex_search(line, option, kOption)) << file << ':' << i + 1 << ": has no default_text";
        if (!option.empty()) EXPECT_EQ(option[1], said[field]) << file << ':' << i + 1;
        ++field;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 50u);
}

/// All messages that an experiment may have in it.
void add_messages(const Descriptor& message, std::set<const Descriptor*>& all) {
  if (!all.insert(&message).second) return;
  for (int i = 0; i < message.field_count(); ++i) {
    if (const Descriptor* inner = message.field(i)->message_type(); inner != nullptr) add_messages(*inner, all);
  }
}

/// The field of a message with a path, "class.hosts"; null if it has none.
const FieldDescriptor* find(const Descriptor* message, const std::string& path) {
  const FieldDescriptor* field = nullptr;
  for (const std::string_view part : split(path, ".")) {
    if (message == nullptr) return nullptr;
    field = message->FindFieldByName(std::string(part));
    if (field == nullptr) return nullptr;
    message = field->message_type();
  }
  return field;
}

/// A default of a page as an experiment has it: "64 KiB" and `"64KiB"` are 64KiB, `[4, 4]` is 4 4.
std::string as_written(std::string text) {
  text = absl::StrReplaceAll(text, {{"`", ""}, {"\"", ""}, {"Mb/s", "Mbps"}, {"Gb/s", "Gbps"}});
  text = std::string(strip(text));
  if (text.starts_with("[")) text = absl::StrReplaceAll(text, {{"[", ""}, {"]", ""}, {", ", " "}});
  text = std::regex_replace(text, std::regex(" packets?$"), "");
  return std::regex_replace(text, std::regex("^([0-9.]+) ([A-Za-z]+)$"), "$1$2");
}

/// A number, or one over another: "1/16".
bool read_number(const std::string& text, double& value) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('/', 1));
  double divisor = 1;
  if (!parse_number(parts.first, value)) return false;
  if (!parts.second.empty() && (!parse_number(parts.second, divisor) || divisor == 0)) return false;
  value /= divisor;
  return true;
}

bool same(const std::string& value, const std::string& option) {
  if (value == option || option.ends_with(": " + value)) return true;
  double first = 0;
  double second = 0;
  return read_number(value, first) && read_number(option, second) && first == second;
}

/// A row of a table: some fields and what their defaults are.
struct Row {
  size_t line = 0;
  std::vector<std::string> fields;
  std::string defaults;
};

/// The defaults of a row, one for each field; empty if they are words.
std::vector<std::string> values_of(const Row& row) {
  std::string text = std::regex_replace(row.defaults, std::regex(R"(\([^)]*\))"), "");
  for (const std::string_view end : {": ", " for "}) text = text.substr(0, text.find(end));
  // `[4, 4]` is one value.
  std::vector<std::string> values{text};
  if (text.find('[') == std::string::npos) values = absl::StrSplit(text, ", ");
  for (std::string& value : values) value = as_written(value);
  // "40, 400 Mb/s" has the unit once.
  static const std::regex kNumber("[0-9.]+");
  static const std::regex kQuantity("[0-9.]+(Mbps|Gbps|us|KiB)");
  std::smatch unit;
  if (const std::string last = values.back(); std::regex_match(last, unit, kQuantity)) {
    for (std::string& value : values) {
      if (std::regex_match(value, kNumber)) value += unit[1].str();
    }
  }
  if (values.size() == 1) values.resize(row.fields.size(), std::string(values[0]));
  if (values.size() != row.fields.size()) values.clear();
  return values;
}

/// What of the rows differs from the options of a message. Counts what has been compared.
std::vector<std::string> differences(const std::string& page, const std::vector<Row>& rows, const Descriptor& message,
                                     size_t& compared) {
  std::vector<std::string> wrong;
  for (const Row& row : rows) {
    if (row.fields.size() == 1 &&
        find(&message, row.fields[0])->options().GetExtension(v1::default_text) == as_written(row.defaults)) {
      ++compared;
      continue;
    }
    const std::vector<std::string> values = values_of(row);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!is_value(values[i])) continue;
      ++compared;
      const auto& options = find(&message, row.fields[i])->options();
      const std::string& stated = options.GetExtension(v1::default_text);
      if (!same(values[i], stated) && !same(values[i], options.GetExtension(v1::exanet_default)))
        wrong.push_back(fmt::format("{}:{}: the default of {} is {}, and default_text of {} is \"{}\"", page, row.line,
                                    row.fields[i], values[i], message.name(), stated));
    }
  }
  return wrong;
}

/// The rows of the table below a line that names fields by themselves, which is the one after `head`.
std::vector<Row> rows_below(const std::vector<std::string>& lines, size_t head) {
  static const std::regex kName("`([a-z_0-9.]+)`");
  std::vector<Row> rows;
  for (size_t i = head + 2; i < lines.size() && lines[i].starts_with("|"); ++i) {
    const std::vector<std::string> cells = absl::StrSplit(lines[i], '|');
    if (cells.size() < 4 || cells[1].find('{') != std::string::npos) continue;
    Row row{i + 1, {}, cells[2]};
    for (std::sregex_iterator found(cells[1].begin(), cells[1].end(), kName), end; found != end; ++found)
      row.fields.push_back((*found)[1]);
    if (!row.fields.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

// A table is that of a message which has all of its fields; of several such messages one must agree.
TEST(DefaultsTest, TablesOfPagesHaveThem) {
  std::set<const Descriptor*> messages;
  add_messages(*v1::Experiment::descriptor(), messages);
  static const std::regex kHead(R"(\| *field[^|]*\| *default.*)");
  std::vector<std::string> pages = files_of("docs/models", ".md");
  pages.emplace_back("docs/experiment-file.md");
  size_t compared = 0;
  for (const std::string& page : pages) {
    const std::vector<std::string> lines = lines_of(page);
    for (size_t head = 0; head < lines.size(); ++head) {
      if (!std::regex_match(lines[head], kHead)) continue;
      const std::vector<Row> rows = rows_below(lines, head);
      bool known = false;
      bool agrees = false;
      std::vector<std::string> wrong;
      for (const Descriptor* message : messages) {
        const bool has_all = std::ranges::all_of(rows, [&](const Row& row) {
          return std::ranges::all_of(row.fields,
                                     [&](const std::string& name) { return find(message, name) != nullptr; });
        });
        if (!has_all) continue;
        known = true;
        wrong = differences(page, rows, *message, compared);
        agrees = agrees || wrong.empty();
      }
      EXPECT_TRUE(known) << page << ':' << head + 1 << ": no message of an experiment has these fields";
      EXPECT_TRUE(agrees || !known) << fmt::format("{}", fmt::join(wrong, "\n"));
    }
  }
  EXPECT_GT(compared, 200u);
}

// The times of the profile "none" are numbers of the code, which the options repeat.
TEST(DefaultsTest, OfTheProfileNoneAreWhatItHas) {
  const experiment::MpiOverheads& none = *experiment::find_mpi_overheads("none");
  const std::vector<std::pair<std::string, Time>> times = {{"send_overhead", none.send},
                                                           {"receive_overhead", none.receive},
                                                           {"match_overhead", none.match},
                                                           {"loopback_latency", none.loopback_latency}};
  for (const auto& [name, time] : times) {
    const std::string text = find(v1::Host::descriptor(), name)->options().GetExtension(v1::default_text);
    EXPECT_EQ(text, fmt::format("of the profile; none: {}ns", time.fs() / 1'000'000)) << name;
  }
}

}  // namespace
}  // namespace fabrictwin
