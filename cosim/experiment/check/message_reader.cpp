// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/message_reader.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include "cosim/base/text.h"
#include "fabrictwin/v1/catalogue.pb.h"

namespace fabrictwin::experiment {

std::string MessageReader::path_of(std::string_view name) const {
  return name.empty() ? path_ : fmt::format("{}.{}", path_, name);
}

const google::protobuf::FieldDescriptor* MessageReader::field(std::string_view name) const {
  return message_.GetDescriptor()->FindFieldByName(std::string(name));
}

int32_t MessageReader::number_of(std::string_view name) const {
  return message_.GetReflection()->GetInt32(message_, field(name));
}

std::string MessageReader::text_of(std::string_view name) const {
  return message_.GetReflection()->GetString(message_, field(name));
}

std::string MessageReader::default_of(std::string_view name) const {
  return field(name)->options().GetExtension(v1::default_text);
}

bool MessageReader::flag(std::string_view name) const {
  const auto* flag = field(name);
  return message_.GetReflection()->HasField(message_, flag) ? message_.GetReflection()->GetBool(message_, flag)
                                                            : default_of(name) == "true";
}

int32_t MessageReader::default_number(std::string_view name) const {
  int32_t value = 0;
  parse_number(default_of(name), value);
  return value;
}

int32_t MessageReader::exanet_default_number(std::string_view name) const {
  int32_t value = 0;
  parse_number(field(name)->options().GetExtension(v1::exanet_default), value);
  return value;
}

double MessageReader::default_real(std::string_view name) const {
  double value = 0;
  parse_number(default_of(name), value);
  return value;
}

int MessageReader::default_value(std::string_view name) const {
  const auto* value = field(name)->enum_type()->FindValueByName(default_of(name));
  return value == nullptr ? 0 : value->number();
}

int MessageReader::value_of(std::string_view name) const {
  const int value = message_.GetReflection()->GetEnumValue(message_, field(name));
  return value == 0 ? default_value(name) : value;
}

int32_t MessageReader::number(std::string_view name, int32_t least, int32_t most, int32_t fallback) const {
  return fields_.number(path_of(name), number_of(name), fallback == 0 ? default_number(name) : fallback, least, most);
}

int32_t MessageReader::required(std::string_view name, int32_t most, std::string_view example) const {
  const int32_t value = number_of(name);
  if (value >= 1 && value <= most) return value;
  if (has(name)) {
    complain(name, fmt::format("{} {}: write 1 to {}", name, value, most));
  } else {
    complain({}, fmt::format("{} is not written; write {}", name, example));
  }
  return 1;
}

std::vector<int32_t> MessageReader::numbers(std::string_view name, int32_t least, int32_t most) const {
  const int count = message_.GetReflection()->FieldSize(message_, field(name));
  std::vector<int32_t> values;
  for (int i = 0; i < count; ++i) {
    const int32_t value = message_.GetReflection()->GetRepeatedInt32(message_, field(name), i);
    if (value >= least && value <= most) {
      values.push_back(value);
    } else {
      complain(fmt::format("{}[{}]", name, i), fmt::format("{} {}: write {} to {}", name, value, least, most));
      values.push_back(least);
    }
  }
  if (count > 0) return values;
  const std::string text = default_of(name);
  for (const std::string_view part : split(text, " ")) {
    int32_t value = 0;
    if (parse_number(part, value)) values.push_back(value);
  }
  return values;
}

Bytes MessageReader::message_size(std::string_view name) const {
  return check_message_size(path_of(name), quantity<Bytes>(name, parse_bytes), fields_);
}

Bytes check_message_size(std::string_view path, Bytes bytes, FieldChecker& fields) {
  if (bytes.count <= kMaxMessageBytes) return bytes;
  fields.complain(path, fmt::format("{} is too long for a message; write at most {}", to_string(bytes),
                                    to_string(Bytes{kMaxMessageBytes})));
  return Bytes{};
}

}  // namespace fabrictwin::experiment
