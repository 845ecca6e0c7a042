// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages as JSON for scripts.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace fabrictwin::report {

/// The message as one JSON object on one line. Field names are as in the .proto file, fields with value zero are
/// included, and messages that are not set are left out. It is protobuf's JSON form except that 64-bit integers are
/// numbers, not strings, so that scripts can calculate with them; protobuf reads both.
std::string message_json(const google::protobuf::Message& message);

}  // namespace fabrictwin::report
