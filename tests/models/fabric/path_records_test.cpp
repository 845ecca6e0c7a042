// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/path_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "tests/models/fabric/packet_channel.h"

namespace fabrictwin::fabric {
namespace {

using congestion::Allotment;
using congestion::Hop;
using congestion::PathRecord;

auto facts(const Hop& hop) {
  return std::vector<uint64_t>{static_cast<uint64_t>(hop.time), hop.sent_bytes, static_cast<uint64_t>(hop.queue_bytes),
                               static_cast<uint64_t>(hop.bits_per_second), hop.output};
}

auto facts(const Allotment& output) {
  return std::vector<uint64_t>{output.output,
                               output.limited ? 1U : 0U,
                               output.ignored ? 1U : 0U,
                               static_cast<uint64_t>(output.rate),
                               static_cast<uint64_t>(output.share),
                               static_cast<uint64_t>(output.period)};
}

PathRecord some_path() {
  PathRecord path;
  path.sent = *rc::gen::arbitrary<int64_t>();
  path.hops.resize(*rc::gen::inRange<size_t>(0, 9));
  for (Hop& hop : path.hops) {
    hop.time = *rc::gen::arbitrary<int64_t>();
    hop.sent_bytes = *rc::gen::arbitrary<uint64_t>();
    hop.queue_bytes = *rc::gen::arbitrary<int64_t>();
    hop.bits_per_second = *rc::gen::arbitrary<int64_t>();
    hop.output = *rc::gen::arbitrary<uint32_t>();
  }
  path.allotments.outputs.resize(*rc::gen::inRange<size_t>(0, 9));
  for (Allotment& output : path.allotments.outputs) {
    output.output = *rc::gen::arbitrary<uint32_t>();
    output.limited = *rc::gen::arbitrary<bool>();
    output.ignored = *rc::gen::arbitrary<bool>();
    output.rate = *rc::gen::arbitrary<int64_t>();
    output.share = *rc::gen::arbitrary<int64_t>();
    output.period = *rc::gen::arbitrary<int64_t>();
  }
  path.allotments.passed = *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(path.allotments.outputs.size()) + 1);
  path.allotments.max_packet = *rc::gen::arbitrary<int32_t>();
  path.allotments.interval = *rc::gen::arbitrary<int64_t>();
  path.allotments.leaving = *rc::gen::arbitrary<bool>();
  return path;
}

RC_GTEST_PROP(PathRecords, CrossALinkUnchanged, ()) {
  const PathRecord path = some_path();
  PacketChannel channel;
  RC_ASSERT(channel.send(path_records(path, 1)).ok());
  const absl::StatusOr<PathRecord> taken = take_path(channel.receiver);
  RC_ASSERT(taken.ok());
  RC_ASSERT(channel.receiver.front() == nullptr);
  RC_ASSERT(taken->sent == path.sent);
  RC_ASSERT(taken->hops.size() == path.hops.size());
  for (size_t i = 0; i < path.hops.size(); ++i) RC_ASSERT(facts(taken->hops[i]) == facts(path.hops[i]));
  RC_ASSERT(taken->allotments.outputs.size() == path.allotments.outputs.size());
  for (size_t i = 0; i < path.allotments.outputs.size(); ++i)
    RC_ASSERT(facts(taken->allotments.outputs[i]) == facts(path.allotments.outputs[i]));
  RC_ASSERT(taken->allotments.passed == path.allotments.passed);
  RC_ASSERT(taken->allotments.max_packet == path.allotments.max_packet);
  RC_ASSERT(taken->allotments.interval == path.allotments.interval);
  RC_ASSERT(taken->allotments.leaving == path.allotments.leaving);
}

TEST(PathRecordsTest, WhatIsNoneIsRefused) {
  PathRecord path;
  path.hops.resize(2);
  std::vector<link::Record> records = path_records(path, 0);
  const auto error_of = [](const std::vector<link::Record>& sent) {
    PacketChannel channel;
    EXPECT_TRUE(channel.send(sent).ok());
    return std::string(take_path(channel.receiver).status().message());
  };
  EXPECT_THAT(error_of({}), ::testing::HasSubstr("without the record of its path"));
  EXPECT_THAT(error_of({records[1]}), ::testing::HasSubstr("without the record of its path"));
  EXPECT_THAT(error_of({records[0], records[1]}), ::testing::HasSubstr("a part of the record of a path is missing"));
  records[0].words[1].lo = ~uint64_t{0};
  EXPECT_THAT(error_of(records), ::testing::HasSubstr("a path of 4294967295 hops"));
}

}  // namespace
}  // namespace fabrictwin::fabric
