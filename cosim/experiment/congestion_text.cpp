// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/congestion_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <vector>

namespace fabrictwin::experiment {
namespace {

/// Adds each message that is set among the fields of `message` of these names, or all if there are none.
void add_fields(const google::protobuf::Message& message, const std::vector<std::string>& names,
                std::vector<std::string>& texts) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  const google::protobuf::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    const bool named = names.empty() || std::ranges::find(names, field.name()) != names.end();
    if (!named || !message.GetReflection()->HasField(message, &field)) continue;
    std::string fields;
    printer.PrintToString(message.GetReflection()->GetMessage(message, &field), &fields);
    texts.push_back(fmt::format("{} {{ {}}}", field.name(), fields));
  }
}

}  // namespace

std::string congestion_text(const Experiment& experiment) {
  std::vector<std::string> texts;
  add_fields(experiment.message.congestion(), {}, texts);
  add_fields(experiment.message, {"transport", "pfc", "queues"}, texts);
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace fabrictwin::experiment
