// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/message_json.h"

#include <google/protobuf/descriptor.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace fabrictwin::report {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using nlohmann::ordered_json;

/// The value of a field, or of its element `index` if it is repeated.
ordered_json value_of(const Message& message, const FieldDescriptor* field, int index) {
  const Reflection& r = *message.GetReflection();
  const bool repeated = field->is_repeated();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return repeated ? r.GetRepeatedInt32(message, field, index) : r.GetInt32(message, field);
    case FieldDescriptor::CPPTYPE_INT64:
      return repeated ? r.GetRepeatedInt64(message, field, index) : r.GetInt64(message, field);
    case FieldDescriptor::CPPTYPE_UINT32:
      return repeated ? r.GetRepeatedUInt32(message, field, index) : r.GetUInt32(message, field);
    case FieldDescriptor::CPPTYPE_UINT64:
      return repeated ? r.GetRepeatedUInt64(message, field, index) : r.GetUInt64(message, field);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return repeated ? r.GetRepeatedDouble(message, field, index) : r.GetDouble(message, field);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return repeated ? r.GetRepeatedFloat(message, field, index) : r.GetFloat(message, field);
    case FieldDescriptor::CPPTYPE_BOOL:
      return repeated ? r.GetRepeatedBool(message, field, index) : r.GetBool(message, field);
    case FieldDescriptor::CPPTYPE_ENUM:
      return (repeated ? r.GetRepeatedEnum(message, field, index) : r.GetEnum(message, field))->name();
    case FieldDescriptor::CPPTYPE_STRING:
      return repeated ? r.GetRepeatedString(message, field, index) : r.GetString(message, field);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return message_object(repeated ? r.GetRepeatedMessage(message, field, index) : r.GetMessage(message, field));
  }
  return nullptr;
}

}  // namespace

ordered_json message_object(const Message& message) {
  const Reflection& reflection = *message.GetReflection();
  ordered_json object = ordered_json::object();
  // Growing would copy the members.
  object.get_ref<ordered_json::object_t&>().reserve(static_cast<size_t>(message.GetDescriptor()->field_count()));
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    if (field->is_repeated()) {
      ordered_json list = ordered_json::array();
      for (int k = 0; k < reflection.FieldSize(message, field); ++k) list.push_back(value_of(message, field, k));
      object[field->name()] = std::move(list);
    } else if (!field->has_presence() || reflection.HasField(message, field)) {
      object[field->name()] = value_of(message, field, 0);
    }
  }
  return object;
}

std::string message_json(const Message& message) { return json_text(message_object(message)); }

std::string json_text(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace fabrictwin::report
