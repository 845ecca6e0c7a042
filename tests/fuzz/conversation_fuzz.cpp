// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that `fabrictwin conformance` does with a file of a conversation, and with messages like those in it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "bridges/conformance/conversation.h"
#include "bridges/conformance/requests.h"
#include "bridges/conformance/stream_rules.h"

namespace {

namespace conformance = fabrictwin::bridges::conformance;

void require(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto conversation =
      conformance::parse_conversation(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!conversation.ok()) return 0;
  require(conformance::parse_conversation(conformance::conversation_text(*conversation)).ok());
  const auto map = conformance::ChannelMap::of(conversation->configure);
  if (!map.ok()) return 0;
  const auto answers = conformance::answers_of(*conversation, *map);
  require(conformance::first_difference(answers, answers, *map).empty());
  conformance::Findings findings;
  conformance::StreamRules rules(*map, findings, "here");
  for (const conformance::StreamMessage& message : conversation->messages) {
    if (const auto* request = std::get_if<fabrictwin::v1::RunRequest>(&message)) {
      rules.on_request(*request);
    } else {
      rules.on_response(std::get<fabrictwin::v1::RunResponse>(message));
    }
  }
  rules.on_end();
  rules.on_rest();
  const conformance::Inputs inputs(*map, conversation->requests());
  require(!inputs.at_once().empty() && !inputs.with_ends().empty() && !inputs.one_by_one(3).empty());
  return 0;
}
