// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All that a caller and a place have said to each other in one run, and its file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// A message of the Run stream.
using StreamMessage = std::variant<v1::RunRequest, v1::RunResponse>;

struct Conversation {
  v1::HelloResponse hello;
  v1::DescribeResponse describe;
  v1::ConfigureRequest configure;
  std::vector<StreamMessage> messages;  ///< In the order in which the caller had them.
  v1::StopResponse stop;

  /// The requests among the messages.
  std::vector<v1::RunRequest> requests() const;
};

/// What came on one channel, however it was grouped into messages and bursts.
struct ChannelLog {
  /// A word, or a credit.
  struct Item {
    Time stamp;  ///< When it arrives.
    uint8_t vc = 0;
    uint8_t flags = 0;  ///< link::kStartOfPacket and kEndOfPacket of the word itself.
    uint8_t count = 0;  ///< How many words a credit frees.
    link::Word word;
    bool operator==(const Item&) const = default;
  };
  std::vector<Item> words;
  std::vector<Item> credits;
  Time horizon;  ///< Nothing else comes before.
};

class ChannelMap;
/// The logs of all channels that begin at the place.
std::map<uint32_t, ChannelLog> answers_of(const Conversation& conversation, const ChannelMap& map);

/// The first difference between what came and what was expected, each as far as it goes: channel, stamp and record.
/// Empty if there is none.
std::string first_difference(const std::map<uint32_t, ChannelLog>& expected, const std::map<uint32_t, ChannelLog>& came,
                             const ChannelMap& map);

/// The text of the file: a JSON object on each line. The first line says what it is; then come the calls before the
/// stream, its messages ("request", "response") with their records one by one, and Stop.
std::string conversation_text(const Conversation& conversation);
/// InvalidArgument with the number of the line and what is wrong.
absl::StatusOr<Conversation> parse_conversation(std::string_view text);

}  // namespace fabrictwin::bridges::conformance
