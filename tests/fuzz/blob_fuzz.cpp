// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that reads what a peer sends in a Run stream: blobs of records through rings into receivers, and rows of
// the sync table.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bridges/protocol/blob_decoder.h"
#include "bridges/protocol/sync_rows.h"
#include "cosim/link/channel_receiver.h"
#include "fabrictwin/v1/bridge.pb.h"
#include "tests/bridges/protocol/test_ring.h"

namespace {

using fabrictwin::Clock;
using fabrictwin::TestRing;
using fabrictwin::Time;
using fabrictwin::bridges::protocol::BlobDecoder;
using fabrictwin::engine::SyncTable;
using fabrictwin::link::ChannelReceiver;

constexpr uint32_t kChannels[] = {0, 1, 6};

void require(bool truth) {
  if (!truth) std::abort();
}

void decode(std::string blob) {
  std::vector<std::unique_ptr<TestRing>> rings;
  std::vector<std::unique_ptr<fabrictwin::link::ChannelReceiver>> receivers;
  std::vector<fabrictwin::bridges::protocol::BlobChannel> channels;
  for (const uint32_t id : kChannels) {
    rings.push_back(std::make_unique<TestRing>(4));
    channels.push_back({id, "channel", rings.back()->memory()});
    const fabrictwin::link::ChannelSpec spec{id, "channel", Time::from_ns(120),
                                             Clock::of_words(fabrictwin::Bandwidth{10'000'000'000}, 128)};
    receivers.push_back(std::make_unique<fabrictwin::link::ChannelReceiver>(spec, rings.back()->memory()));
  }
  fabrictwin::bridges::protocol::BlobDecoder decoder("peer", channels);
  const size_t records = blob.size() / sizeof(fabrictwin::link::Record);
  if (!decoder.start(std::move(blob)).ok()) return;
  size_t moved = 0;
  while (!decoder.done()) {
    const auto pushed = decoder.push();
    if (!pushed.ok()) return;
    // Receivers that keep up never let the decoder hang.
    require(*pushed > 0);
    moved += *pushed;
    for (const auto& receiver : receivers) {
      if (!receiver->poll().ok()) return;
    }
  }
  require(moved == records);
  for (size_t i = 0; i < receivers.size(); ++i) require(receivers[i]->received() == decoder.records(i));
}

void check_rows(const fabrictwin::v1::RunResponse& response) {
  std::vector<fabrictwin::engine::SyncChannel> channels;
  for (const uint32_t id : kChannels) {
    channels.push_back(
        {static_cast<int32_t>(id), static_cast<int32_t>(id % 2), static_cast<int32_t>(1 - id % 2), Time::from_ns(120)});
  }
  alignas(64) std::byte memory[1024] = {};
  fabrictwin::engine::SyncTable table(memory, 2, channels);
  const std::vector<int32_t> own{1};
  fabrictwin::engine::PartitionSnapshot before;
  for (const fabrictwin::v1::SyncRow& row : response.rows()) {
    if (!fabrictwin::bridges::protocol::check_row("peer", table, own, row, before).ok()) continue;
    before = fabrictwin::bridges::protocol::to_snapshot(row);
    table.publish(row.partition(), before.now, before.next_event, before.consumed, before.sent);
    require(table.now(1) == before.now);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  decode(std::string(reinterpret_cast<const char*>(data), size));
  fabrictwin::v1::RunResponse response;
  if (response.ParseFromArray(data, static_cast<int>(size))) {
    check_rows(response);
    decode(response.records());
  }
  return 0;
}
