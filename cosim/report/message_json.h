// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages as JSON for scripts.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace fabrictwin {

/// The message as one JSON object on one line: field names as in the .proto file, fields with zero value included,
/// messages that are not set left out. It is protobuf's JSON form but for one thing, which protobuf reads all the same:
/// 64-bit integers are numbers, not strings, so that scripts can reckon with them.
std::string message_json(const google::protobuf::Message& message);

}  // namespace fabrictwin
