// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/override.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/experiment/syntax.h"

namespace fabrictwin::experiment {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

const EnumValueDescriptor* find_enum_value(const EnumDescriptor& type, std::string_view name) {
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0 && to_upper(name) == type.value(i)->name()) return type.value(i);
  }
  return nullptr;
}

std::string unknown_value(const EnumDescriptor& type, std::string_view what, std::string_view value) {
  const std::vector<std::string_view> names = enum_names(type);
  return fmt::format("unknown {} \"{}\"{}; write one of {}", what, value, did_you_mean(to_upper(value), names),
                     comma_list(names));
}

bool parse_boolean(std::string_view text, bool& value) {
  const std::string name = to_lower(text);
  value = name == "true" || name == "1";
  return value || name == "false" || name == "0";
}

/// True if `text` is a whole number, even one that is too large.
bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Describes the values of a repeated field, with an example of a list as --set takes it.
std::pair<std::string_view, std::string_view> list_of(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return {"true and false", "true,false"};
    case FieldDescriptor::CPPTYPE_STRING:
      return {"texts", "8B,1KiB"};
    default:
      return {"numbers", "4x4x2"};
  }
}

/// Parses `text` as a value of a scalar field and stores it, or returns what is wrong. `add` appends to a repeated
/// field.
std::optional<std::string> store(Message& message, const FieldDescriptor* field, std::string_view text, bool add) {
  const Reflection* reflection = message.GetReflection();
  const auto wrong = [&](std::string_view wanted) {
    return fmt::format("\"{}\" is not a value of {}; write {}", text, field->name(), wanted);
  };
  const auto wrong_number = [&]<typename Number>(Number, std::string_view wanted) {
    using Limits = std::numeric_limits<Number>;
    const bool negative = text.starts_with('-');
    if (!is_whole(text) || (negative && Limits::min() == 0)) return wrong(wanted);
    return fmt::format("\"{}\" is too {} for {}; write {} or {}", text, negative ? "small" : "large", field->name(),
                       negative ? Limits::min() : Limits::max(), negative ? "more" : "less");
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      add ? reflection->AddString(&message, field, std::string(text))
          : reflection->SetString(&message, field, std::string(text));
      return std::nullopt;
    case FieldDescriptor::CPPTYPE_INT32: {
      int32_t value = 0;
      if (!parse_number(text, value)) return wrong_number(value, "a whole number");
      add ? reflection->AddInt32(&message, field, value) : reflection->SetInt32(&message, field, value);
      return std::nullopt;
    }
    case FieldDescriptor::CPPTYPE_INT64: {
      int64_t value = 0;
      if (!parse_number(text, value)) return wrong_number(value, "a whole number");
      add ? reflection->AddInt64(&message, field, value) : reflection->SetInt64(&message, field, value);
      return std::nullopt;
    }
    case FieldDescriptor::CPPTYPE_UINT64: {
      uint64_t value = 0;
      if (!parse_number(text, value)) return wrong_number(value, "a whole number that is not negative");
      add ? reflection->AddUInt64(&message, field, value) : reflection->SetUInt64(&message, field, value);
      return std::nullopt;
    }
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      double value = 0;
      if (!parse_number(text, value)) return wrong("a number");
      add ? reflection->AddDouble(&message, field, value) : reflection->SetDouble(&message, field, value);
      return std::nullopt;
    }
    case FieldDescriptor::CPPTYPE_BOOL: {
      bool value = false;
      if (!parse_boolean(text, value)) return wrong("true or false");
      add ? reflection->AddBool(&message, field, value) : reflection->SetBool(&message, field, value);
      return std::nullopt;
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      const EnumValueDescriptor* value = find_enum_value(*field->enum_type(), text);
      if (value == nullptr) return unknown_value(*field->enum_type(), field->name(), text);
      add ? reflection->AddEnum(&message, field, value) : reflection->SetEnum(&message, field, value);
      return std::nullopt;
    }
    default:
      return fmt::format("{} cannot be set from the command line; write it in the experiment file", field->name());
  }
}

/// One step of a path: a field, and an index if one was written.
struct Step {
  const FieldDescriptor* field = nullptr;
  int index = -1;
  std::string path;  ///< The path up to and including this step.
  size_t offset = 0;
};

/// Resolves the path left of '='. Returns nullopt, after a diagnostic, if there is no such field.
std::optional<std::vector<Step>> resolve(const SourceText& argument, std::string_view path,
                                         DiagnosticList& diagnostics) {
  std::vector<Step> steps;
  const Descriptor* type = v1::Experiment::descriptor();
  size_t offset = 0;
  for (const std::string_view part : split(path, ".")) {
    const auto fail = [&](const std::string& message) { diagnostics.add(argument.location(offset), message); };
    const size_t bracket = part.find('[');
    const std::string_view name = part.substr(0, bracket);
    if (type == nullptr) {
      fail(fmt::format("\"{}\" is a value and has no field \"{}\"; end the path before it", steps.back().path, name));
      return std::nullopt;
    }
    Step step;
    step.offset = offset;
    step.field = type->FindFieldByName(std::string(name));
    if (step.field == nullptr) {
      const std::vector<std::string_view> names = field_names(*type);
      fail(fmt::format("unknown field \"{}\" in {}{}; its fields are {}", name, type->name(), did_you_mean(name, names),
                       comma_list(names)));
      return std::nullopt;
    }
    step.path = steps.empty() ? std::string(part) : fmt::format("{}.{}", steps.back().path, part);
    const bool indexed = bracket != std::string_view::npos;
    const bool message = step.field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (indexed) {
      const bool number =
          part.back() == ']' && parse_number(part.substr(bracket + 1, part.size() - bracket - 2), step.index);
      if (!step.field->is_repeated() || !number || step.index < 0) {
        fail(fmt::format("\"{}\" is not a field; an index is written as in use[0], on a repeated field", part));
        return std::nullopt;
      }
    } else if (step.field->is_repeated() && message) {
      fail(fmt::format("\"{0}\" is repeated; say which one, as in {0}[0]", name));
      return std::nullopt;
    }
    type = message ? step.field->message_type() : nullptr;
    steps.push_back(step);
    offset += part.size() + 1;
  }
  if (type != nullptr) {
    diagnostics.add(argument.location(steps.back().offset),
                    fmt::format("\"{}\" is a message and has no value; set one of its fields: {}", path,
                                comma_list(field_names(*type))));
    return std::nullopt;
  }
  return steps;
}

/// Stores the value at the end of a resolved path in `message`.
std::optional<std::string> assign(Message& root, const std::vector<Step>& steps, std::string_view value) {
  Message* message = &root;
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    const Step& step = steps[i];
    const Reflection* reflection = message->GetReflection();
    if (!step.field->is_repeated()) {
      message = reflection->MutableMessage(message, step.field);
      continue;
    }
    const int size = reflection->FieldSize(*message, step.field);
    if (step.index >= size)
      return fmt::format("there is no {}; the experiment has {} of them, counted from 0", step.path, size);
    message = reflection->MutableRepeatedMessage(message, step.field, step.index);
  }
  const FieldDescriptor* field = steps.back().field;
  if (!field->is_repeated()) return store(*message, field, value, false);
  const auto [kind, example] = list_of(*field);
  if (steps.back().index >= 0) return fmt::format("set the whole list, as in {}={}", field->name(), example);
  message->GetReflection()->ClearField(message, field);
  for (const std::string_view item : split(value, "x,")) {
    const std::optional<std::string> wrong = store(*message, field, item, true);
    if (!wrong.has_value()) continue;
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_BOOL && is_whole(item)) return wrong;
    return fmt::format("\"{}\" is not a list of {}; write it as in {}={}", value, kind, field->name(), example);
  }
  return std::nullopt;
}

/// What another argument has written and `steps` would replace, because a message has only one of the two: the path of
/// both. Nullopt if there is no such thing.
std::optional<std::pair<std::string, std::string>> replaced(const Message& root, const std::vector<Step>& steps,
                                                            const LocationMap& locations) {
  const Message* message = &root;
  for (const Step& step : steps) {
    const Reflection* reflection = message->GetReflection();
    if (const auto* one = step.field->real_containing_oneof(); one != nullptr) {
      const FieldDescriptor* other = reflection->GetOneofFieldDescriptor(*message, one);
      const std::string around = step.path.substr(0, step.path.size() - step.field->name().size());
      if (other != nullptr && other != step.field && locations.overridden_within(around + other->name()))
        return std::pair(step.path, around + other->name());
    }
    if (&step == &steps.back()) break;
    if (!step.field->is_repeated()) {
      message = &reflection->GetMessage(*message, step.field);
    } else if (step.index < reflection->FieldSize(*message, step.field)) {
      message = &reflection->GetRepeatedMessage(*message, step.field, step.index);
    } else {
      break;
    }
  }
  return std::nullopt;
}

/// Whether the end of a path is a single text.
bool is_text(const std::vector<Step>& steps) {
  const FieldDescriptor& field = *steps.back().field;
  return field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field.is_repeated();
}

/// Applies a value. If `clears`, an empty text is no text.
void apply(const SourceText& argument, std::string_view path, std::string_view value, size_t offset, bool clears,
           v1::Experiment& message, LocationMap& locations, DiagnosticList& diagnostics) {
  const auto steps = resolve(argument, path, diagnostics);
  if (!steps.has_value()) return;
  if (const auto both = replaced(message, *steps, locations); both.has_value()) {
    diagnostics.add(argument.location(argument.text().starts_with(path) ? 0 : offset),
                    fmt::format("{} and {} exclude each other, and arguments write both; leave one of them out",
                                both->first, both->second));
    return;
  }
  v1::Experiment changed = message;
  const std::optional<std::string> wrong = assign(changed, *steps, value);
  if (wrong.has_value()) {
    diagnostics.add(argument.location(offset), *wrong);
    return;
  }
  message.Swap(&changed);
  const bool cleared = clears && value.empty() && is_text(*steps);
  // The diagnostic can point at the path only if the argument begins with it.
  const bool shown = argument.text().starts_with(path);
  for (const Step& step : *steps) {
    const bool last = &step == &steps->back();
    if (last && cleared) {
      locations.erase(step.path);
    } else if (last) {
      locations.set(step.path, &argument, offset);
    } else if (!locations.has(step.path)) {
      locations.set(step.path, &argument, shown ? step.offset : offset);
    }
  }
}

}  // namespace

void apply_set(const SourceText& argument, v1::Experiment& message, LocationMap& locations,
               DiagnosticList& diagnostics) {
  const std::string_view text = argument.text();
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    diagnostics.add(argument.location(text.size()),
                    "there is no \"=\"; write path=value, as in workload.traffic.load=0.5");
    return;
  }
  apply(argument, text.substr(0, equals), text.substr(equals + 1), equals + 1, true, message, locations, diagnostics);
}

void apply_value(const SourceText& argument, std::string_view path, std::string_view value, size_t offset,
                 v1::Experiment& message, LocationMap& locations, DiagnosticList& diagnostics) {
  apply(argument, path, value, offset, false, message, locations, diagnostics);
}

void apply_use(const SourceText& argument, v1::Experiment& message, LocationMap& locations,
               DiagnosticList& diagnostics) {
  const std::string_view text = argument.text();
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    diagnostics.add(argument.location(text.size()),
                    "there is no \"=\"; write SELECT=IMPLEMENTATION[/DEPTH][@PLACE], as in router[1]=RTL@worker:unix");
    return;
  }
  const size_t at = text.find('@', equals);
  const bool placed = at != std::string_view::npos;
  const std::string_view what = text.substr(equals + 1, placed ? at - equals - 1 : std::string_view::npos);
  const size_t slash = what.find('/');
  const std::string_view name = what.substr(0, slash);
  const EnumValueDescriptor* value = find_enum_value(*v1::Implementation_descriptor(), name);
  if (value == nullptr) {
    diagnostics.add(argument.location(equals + 1),
                    unknown_value(*v1::Implementation_descriptor(), "implementation", name));
    return;
  }
  const EnumValueDescriptor* depth = nullptr;
  if (slash != std::string_view::npos) {
    depth = find_enum_value(*v1::RouterModel_descriptor(), what.substr(slash + 1));
    if (depth == nullptr) {
      diagnostics.add(argument.location(equals + slash + 2),
                      unknown_value(*v1::RouterModel_descriptor(), "depth", what.substr(slash + 1)));
      return;
    }
  }
  if (placed && at + 1 == text.size()) {
    diagnostics.add(
        argument.location(at),
        "there is no place after \"@\"; write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, soft, shell or an "
        "address");
    return;
  }
  const std::string path = fmt::format("use[{}]", message.use_size());
  v1::Use& use = *message.add_use();
  use.set_select(std::string(text.substr(0, equals)));
  use.set_implementation(static_cast<v1::Implementation>(value->number()));
  locations.set(path, &argument, 0);
  locations.set(path + ".select", &argument, 0);
  locations.set(path + ".implementation", &argument, equals + 1);
  if (depth != nullptr) {
    use.set_depth(static_cast<v1::RouterModel>(depth->number()));
    locations.set(path + ".depth", &argument, equals + slash + 2);
  }
  if (!placed) return;
  const bool board = use.implementation() == v1::BOARD;
  (board ? use.mutable_board() : use.mutable_place())->assign(text.substr(at + 1));
  locations.set(path + (board ? ".board" : ".place"), &argument, at + 1);
}

}  // namespace fabrictwin::experiment
