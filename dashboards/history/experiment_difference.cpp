// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "dashboards/history/comparison.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::dashboards::history {
namespace {

/// Texts of versions that have other fields are still compared.
class NoErrors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int /*line*/, int /*column*/, const std::string& /*message*/) override {}
};

/// The fields that are set in a message.
void add_fields(const google::protobuf::Message& message, const std::string& path,
                std::map<std::string, std::string>& fields) {
  std::vector<const google::protobuf::FieldDescriptor*> set;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  reflection.ListFields(message, &set);
  for (const google::protobuf::FieldDescriptor* field : set) {
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      std::string name = (path.empty() ? "" : path + ".") + field->name();
      if (field->is_repeated()) name += "[" + std::to_string(i) + "]";
      if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
        add_fields(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                        : reflection.GetMessage(message, field),
                   name, fields);
        // A message of which nothing is set may choose what runs.
        fields.try_emplace(name, "");
      } else {
        google::protobuf::TextFormat::PrintFieldValueToString(message, field, field->is_repeated() ? i : -1,
                                                              &fields[name]);
      }
    }
  }
}

/// The comments of a text, without their signs.
std::string comments_of(const std::string& text) {
  std::string comments;
  for (const std::string_view line : split(text, "\n")) {
    if (line.starts_with("# ") && !line.starts_with(kExperimentSection))
      comments += (comments.empty() ? "" : " ") + std::string(line.substr(2));
  }
  return comments;
}

/// The experiments of a text by their names; that of a run has none.
std::map<std::string, std::string> experiments_of(const std::string& text) {
  std::map<std::string, std::string> experiments;
  std::string* current = &experiments[""];
  for (const std::string_view line : split(text, "\n")) {
    if (line.starts_with(kExperimentSection)) {
      current = &experiments[std::string(line.substr(kExperimentSection.size()))];
    } else {
      *current += std::string(line) + "\n";
    }
  }
  return experiments;
}

bool read_fields(const std::string& text, std::map<std::string, std::string>& fields) {
  v1::Experiment message;
  google::protobuf::TextFormat::Parser parser;
  NoErrors errors;
  parser.RecordErrorsTo(&errors);
  if (!parser.ParseFromString(text, &message)) return false;
  add_fields(message, "", fields);
  return true;
}

}  // namespace

std::vector<FieldDifference> compare_experiments(const std::string& base, const std::string& head) {
  if (base == head) return {};
  std::map<std::string, std::string> before;
  std::map<std::string, std::string> after;
  for (const auto& [text, fields] : {std::pair(&base, &before), std::pair(&head, &after)}) {
    const std::map<std::string, std::string> experiments = experiments_of(*text);
    for (const auto& [name, each] : experiments) {
      std::map<std::string, std::string> own;
      if (!read_fields(each, own)) return {{"", base, head}};
      // One experiment needs no name.
      const std::string prefix = name.empty() || experiments.size() == 2 ? "" : name + ": ";
      for (const auto& [path, value] : own) (*fields)[prefix + path] = value;
    }
  }
  std::vector<FieldDifference> differences;
  for (const auto& [path, value] : before) {
    const auto found = after.find(path);
    if (found == after.end()) {
      if (!value.empty()) differences.push_back({path, value, ""});
    } else if (found->second != value) {
      differences.push_back({path, value, found->second});
    }
  }
  for (const auto& [path, value] : after)
    if (!before.contains(path) && !value.empty()) differences.push_back({path, "", value});
  // Sweeps and comparisons say so what they have run besides.
  if (comments_of(base) != comments_of(head))
    differences.push_back({"(command)", comments_of(base), comments_of(head)});
  return differences;
}

}  // namespace fabrictwin::dashboards::history
