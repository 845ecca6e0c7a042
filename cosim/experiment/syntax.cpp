// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/syntax.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cosim/base/suggest.h"
#include "cosim/base/text.h"

namespace fabrictwin::experiment {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

/// The deepest nesting of messages; no experiment needs more.
constexpr int kMaxDepth = 16;
/// The most wrong enum values that are reported.
constexpr int kMaxAttempts = 20;

struct Complaint {
  size_t offset = 0;
  std::string text;
};

class Collector : public google::protobuf::io::ErrorCollector {
 public:
  explicit Collector(const SourceText& source) : source_(source) {}

  void AddError(int line, int column, const std::string& message) override {
    errors.push_back({source_.offset(line, column), message});
  }
  /// Unknown fields are warnings, so that the parser goes on and finds them all.
  void AddWarning(int line, int column, const std::string& message) override {
    warnings.push_back({source_.offset(line, column), message});
  }

  std::vector<Complaint> errors;
  std::vector<Complaint> warnings;

 private:
  const SourceText& source_;
};

/// Finds an enum field of this name in any message of the experiment. That suffices to find the enum of a value, as the
/// names of enum fields are unique.
const FieldDescriptor* find_enum_field(const Descriptor& type, std::string_view name, int depth = 0) {
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* field = type.field(i);
    if (field->name() == name && field->enum_type() != nullptr) return field;
    if (field->message_type() == nullptr || depth > kMaxDepth) continue;
    const FieldDescriptor* nested = find_enum_field(*field->message_type(), name, depth + 1);
    if (nested != nullptr) return nested;
  }
  return nullptr;
}

/// The quoted parts of a message of protobuf. (Not a regular expression: names of hostile files are long.)
std::vector<std::string> quoted_names(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, "\"");
  std::vector<std::string> names;
  for (size_t i = 1; i < parts.size(); i += 2) names.emplace_back(parts[i]);
  return names;
}

/// A name for display, cut if it is very long.
std::string shown(std::string_view name) {
  constexpr size_t kLongest = 64;
  return name.size() <= kLongest ? std::string(name) : std::string(name.substr(0, kLongest)) + "...";
}

bool is_unknown_value(const Complaint& complaint) {
  return complaint.text.starts_with("Unknown enumeration value of \"");
}
bool is_wrong_boolean(const Complaint& complaint) {
  return complaint.text.starts_with("Invalid value for boolean field \"");
}

/// The offset at which `name` begins, about which protobuf complains after having read it.
size_t start_of(const SourceText& source, const Complaint& complaint, std::string_view name) {
  return source.last_before(complaint.offset, name);
}

/// Translates a message of protobuf for users of experiments, and finds its source location: protobuf points at the
/// token after the mistake.
Complaint translate(const SourceText& source, const Complaint& complaint) {
  const std::string& text = complaint.text;
  const std::vector<std::string> names = quoted_names(text);
  if (text.starts_with("Message type \"") && names.size() == 2) {
    const Descriptor* type = v1::Experiment::descriptor()->file()->pool()->FindMessageTypeByName(names[0]);
    const std::vector<std::string_view> fields = type == nullptr ? std::vector<std::string_view>() : field_names(*type);
    return {start_of(source, complaint, names[1]),
            fmt::format("unknown field \"{}\" in {}{}; its fields are {}", shown(names[1]),
                        type == nullptr ? names[0] : type->name(), did_you_mean(names[1], fields), comma_list(fields))};
  }
  if (is_unknown_value(complaint) && names.size() == 2) {
    const FieldDescriptor* field = find_enum_field(*v1::Experiment::descriptor(), names[1]);
    const std::vector<std::string_view> values =
        field == nullptr ? std::vector<std::string_view>() : enum_names(*field->enum_type());
    return {start_of(source, complaint, names[0]),
            fmt::format("unknown {} \"{}\"{}; write one of {}", names[1], shown(names[0]),
                        did_you_mean(names[0], values), comma_list(values))};
  }
  if (is_wrong_boolean(complaint) && names.size() == 2) {
    return {start_of(source, complaint, names[1]),
            fmt::format("\"{}\" is not a value of {}; write true or false", shown(names[1]), names[0])};
  }
  if (text.starts_with("Non-repeated field \"") && names.size() == 1) {
    return {start_of(source, complaint, names[0]),
            fmt::format("\"{}\" is given twice; it has only one value, so remove one of them", names[0])};
  }
  if (text.starts_with("Field \"") && names.size() == 3) {
    return {start_of(source, complaint, names[0]),
            fmt::format("\"{}\" and \"{}\" exclude each other; remove one of them", names[0], names[1])};
  }
  const bool at_end = source.text().find_first_not_of(" \t\r\n", complaint.offset) == std::string::npos;
  if (text.starts_with("Expected") && at_end) {
    return {source.last_byte(), "the text ends in the middle of a message; is a \"}\" missing?"};
  }
  if (text == "Expected identifier, got: }") return {complaint.offset, "there is a \"}\" without its \"{\"; remove it"};
  if (text == "Expected integer, got: -") return {complaint.offset, "this number must not be negative"};
  if (text.starts_with("Expected string, got:")) {
    return {complaint.offset, "this value must be in quotes, as in \"10Gbps\" or \"router[1]\""};
  }
  if (text.starts_with("Expected integer") || text.starts_with("Expected double")) {
    return {complaint.offset, "this value is not a number; write one, without quotes"};
  }
  if (text.starts_with("Integer out of range"))
    return {complaint.offset, "this number is out of range; write a smaller one that is not negative"};
  if (text.starts_with("Message is too deep"))
    return {complaint.offset, "messages are nested deeper than in any experiment"};
  std::string plain = shown(text.ends_with('.') ? text.substr(0, text.size() - 1) : text);
  if (!plain.empty()) plain[0] = to_lower(plain.substr(0, 1))[0];
  return {complaint.offset,
          fmt::format("{}; an experiment is protobuf text format, see docs/experiment-file.md", plain)};
}

/// The offset and length of a wrong enum or boolean value, so that it can be replaced and the search can go on.
std::optional<std::pair<size_t, size_t>> replaceable(const SourceText& source, const Complaint& complaint) {
  const std::vector<std::string> names = quoted_names(complaint.text);
  if (names.size() != 2 || !(is_unknown_value(complaint) || is_wrong_boolean(complaint))) return std::nullopt;
  const std::string& value = is_unknown_value(complaint) ? names[0] : names[1];
  const size_t offset = start_of(source, complaint, value);
  if (value.empty() || offset == complaint.offset) return std::nullopt;
  return std::make_pair(offset, value.size());
}

}  // namespace

std::vector<std::string_view> field_names(const Descriptor& type) {
  std::vector<std::string_view> names;
  for (int i = 0; i < type.field_count(); ++i) names.push_back(type.field(i)->name());
  return names;
}

std::vector<std::string_view> enum_names(const EnumDescriptor& type) {
  std::vector<std::string_view> names;
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0) names.push_back(type.value(i)->name());
  }
  return names;
}

void parse_experiment_syntax(const SourceText& source, v1::Experiment& message, LocationMap& locations,
                             DiagnosticList& diagnostics) {
  std::vector<Complaint> found;
  std::string text = source.text();
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Collector collector(source);
    TextFormat::ParseInfoTree tree;
    TextFormat::Parser parser;
    parser.RecordErrorsTo(&collector);
    parser.WriteLocationsTo(&tree);
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(kMaxDepth);
    const bool parsed = parser.ParseFromString(text, &message);
    const bool again = !parsed && collector.errors.size() == 1 && attempt + 1 < kMaxAttempts;
    const auto value = again ? replaceable(source, collector.errors.front()) : std::nullopt;
    if (value.has_value()) {
      found.push_back(translate(source, collector.errors.front()));
      text.replace(value->first, value->second, value->second, ' ');
      text[value->first] = '0';
      continue;
    }
    for (const Complaint& warning : collector.warnings) found.push_back(translate(source, warning));
    // One mistake can make the tokenizer and the parser complain; the parser, which comes last, knows what it wanted.
    if (!parsed && !collector.errors.empty()) {
      const Complaint* best = &collector.errors.front();
      const SourceLocation first = source.location(best->offset);
      for (const Complaint& error : collector.errors) {
        if (error.text.starts_with("Expected string") && source.location(error.offset).line == first.line)
          best = &error;
      }
      found.push_back(translate(source, *best));
    } else if (!parsed) {
      found.push_back({0, "this is not an experiment in protobuf text format; see docs/experiment-file.md"});
    }
    if (parsed) locations.add_tree(message, tree);
    break;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Complaint& a, const Complaint& b) { return a.offset < b.offset; });
  for (const Complaint& complaint : found) diagnostics.add(source.location(complaint.offset), complaint.text);
}

}  // namespace fabrictwin::experiment
