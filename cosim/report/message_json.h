// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages as JSON for scripts.
#pragma once

#include <google/protobuf/message.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace fabrictwin::report {

/// The message as a JSON object. Field names are as in the .proto file, fields with value zero are included, and
/// messages that are not set are left out. It is protobuf's JSON form except that 64-bit integers are numbers, not
/// strings, so that scripts can calculate with them; protobuf reads both.
nlohmann::ordered_json message_object(const google::protobuf::Message& message);

/// The message as JSON text on one line.
std::string message_json(const google::protobuf::Message& message);

/// A JSON value as text, on one line or with an indentation of so many spaces. Bytes that are not UTF-8, which names
/// of files may have, become U+FFFD: JSON cannot hold them.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace fabrictwin::report
