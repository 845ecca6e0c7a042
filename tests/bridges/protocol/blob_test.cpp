// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records into blobs and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "bridges/protocol/blob_decoder.h"
#include "bridges/protocol/blob_encoder.h"
#include "tests/bridges/protocol/test_ring.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

link::Record make(uint32_t channel, link::RecordKind kind, int64_t ns) {
  link::Record record;
  record.channel = channel;
  record.kind = kind;
  record.count = 1;
  record.set_time(Time::from_ns(ns));
  record.words[0] = {static_cast<uint64_t>(ns), channel};
  return record;
}

std::string bytes_of(const std::vector<link::Record>& records) {
  std::string blob;
  for (const link::Record& record : records) blob.append(reinterpret_cast<const char*>(&record), sizeof record);
  return blob;
}

std::vector<link::Record> records_in(const std::string& blob) {
  std::vector<link::Record> records(blob.size() / sizeof(link::Record));
  std::memcpy(static_cast<void*>(records.data()), blob.data(), blob.size());
  return records;
}

TEST(BlobEncoder, KeepsOnlyTheLastPromiseOfAChannel) {
  TestRing ring(64);
  link::RingProducer producer(ring.memory());
  bridges::protocol::BlobEncoder encoder({{7, "seven", ring.memory()}});
  for (int64_t ns = 1; ns <= 20; ++ns) producer.try_push(make(7, link::RecordKind::kPromise, ns));
  EXPECT_EQ(encoder.collect(), 0u);
  EXPECT_FALSE(encoder.has_records());
  std::string blob;
  encoder.finish(blob);
  const std::vector<link::Record> records = records_in(blob);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].kind, link::RecordKind::kPromise);
  EXPECT_EQ(records[0].channel, 7u);
  EXPECT_EQ(records[0].time(), Time::from_ns(20));
  encoder.finish(blob);
  EXPECT_TRUE(blob.empty()) << "nothing is news";
}

TEST(BlobEncoder, ARecordIsItsOwnPromise) {
  TestRing ring(64);
  link::RingProducer producer(ring.memory());
  bridges::protocol::BlobEncoder encoder({{7, "seven", ring.memory()}});
  producer.try_push(make(7, link::RecordKind::kPromise, 5));
  producer.try_push(make(7, link::RecordKind::kCredit, 9));
  EXPECT_EQ(encoder.collect(), 1u);
  EXPECT_EQ(encoder.told(0), Time::zero()) << "nobody was told yet";
  EXPECT_EQ(encoder.first_unsent(0), Time::from_ns(9));
  std::string blob;
  encoder.finish(blob);
  EXPECT_EQ(records_in(blob).size(), 1u);
  EXPECT_EQ(encoder.told(0), Time::from_ns(9));
  encoder.raise_promise(0, Time::from_ns(8));
  encoder.finish(blob);
  EXPECT_TRUE(blob.empty()) << "a promise never goes back";
  encoder.raise_promise(0, Time::from_ns(11));
  encoder.finish(blob);
  ASSERT_EQ(records_in(blob).size(), 1u);
  EXPECT_EQ(records_in(blob)[0].time(), Time::from_ns(11));
}

TEST(BlobEncoder, StopsAtTheLimit) {
  TestRing ring(64);
  link::RingProducer producer(ring.memory());
  bridges::protocol::BlobEncoder encoder({{7, "seven", ring.memory()}});
  for (int64_t ns = 1; ns <= 20; ++ns) producer.try_push(make(7, link::RecordKind::kCredit, ns));
  EXPECT_EQ(encoder.collect(4 * sizeof(link::Record)), 4u);
  EXPECT_EQ(encoder.collect(), 16u);
  EXPECT_EQ(encoder.records(0), 20u);
}

TEST(BlobEncoder, PassesOnWithoutALimitWhatComesFromAnotherStream) {
  TestRing own(64), passing(64);
  link::RingProducer own_producer(own.memory()), passing_producer(passing.memory());
  bridges::protocol::BlobEncoder encoder({{7, "own", own.memory()}, {8, "passing", passing.memory(), true}});
  for (int64_t ns = 1; ns <= 5; ++ns) {
    own_producer.try_push(make(7, link::RecordKind::kCredit, ns));
    passing_producer.try_push(make(8, link::RecordKind::kCredit, ns));
  }
  encoder.collect(2 * sizeof(link::Record));
  EXPECT_EQ(encoder.records(0), 2u);
  EXPECT_EQ(encoder.records(1), 5u);
}

TEST(BlobEncoder, KnowsItsFirstUnsentRecordAndCountsNoEnds) {
  TestRing ring(64);
  link::RingProducer producer(ring.memory());
  bridges::protocol::BlobEncoder encoder({{7, "seven", ring.memory()}});
  EXPECT_TRUE(encoder.first_unsent(0).is_never());
  for (int64_t ns = 3; ns <= 5; ++ns) producer.try_push(make(7, link::RecordKind::kCredit, ns));
  producer.try_push(make(7, link::RecordKind::kEnd, 6));
  EXPECT_EQ(encoder.collect(), 4u);
  EXPECT_EQ(encoder.records(0), 3u) << "an end is none that a row would count";
  EXPECT_EQ(encoder.first_unsent(0), Time::from_ns(3));
  std::string blob;
  encoder.finish(blob);
  EXPECT_TRUE(encoder.first_unsent(0).is_never());
  EXPECT_EQ(blob.size(), 4 * sizeof(link::Record)) << "nothing is to be promised after an end";
}

TEST(Blob, CarriesAllOfAHostRecord) {
  TestRing from(8), to(8);
  link::RingProducer producer(from.memory());
  bridges::protocol::BlobEncoder encoder({{7, "seven", from.memory()}});
  bridges::protocol::BlobDecoder decoder("peer", {{7, "seven", to.memory()}});
  link::Record record = make(7, link::RecordKind::kHost, 9);
  record.vc = 1;
  record.count = 3;
  record.flags = 9;
  record.words = {link::Word{1, 2}, link::Word{3, 4}, link::Word{5, ~uint64_t{0}}};
  ASSERT_TRUE(producer.try_push(record));
  ASSERT_TRUE(producer.try_push(record)) << "two of one time";
  EXPECT_EQ(encoder.collect(), 2u);
  std::string blob;
  encoder.finish(blob);
  ASSERT_TRUE(decoder.start(blob).ok());
  ASSERT_TRUE(decoder.push().ok());
  link::RingConsumer consumer(to.memory());
  for (int i = 0; i < 2; ++i, consumer.pop()) {
    const link::Record* back = consumer.front();
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(back->words, record.words);
    EXPECT_EQ(back->channel, record.channel);
    EXPECT_EQ(back->kind, record.kind);
    EXPECT_EQ(back->vc, record.vc);
    EXPECT_EQ(back->count, record.count);
    EXPECT_EQ(back->flags, record.flags);
    EXPECT_EQ(back->time(), record.time());
  }
  EXPECT_EQ(decoder.records(0), 2u);
}

RC_GTEST_PROP(Blob, CarriesEveryRecordInOrderThroughRingsOfAnySize, ()) {
  const auto channel_count = *rc::gen::inRange<uint32_t>(1, 5);
  const auto slots = uint32_t{1} << *rc::gen::inRange(0, 5);
  std::vector<std::unique_ptr<TestRing>> from, to;
  std::vector<bridges::protocol::BlobChannel> sources, targets;
  std::vector<link::RingProducer> producers;
  std::vector<link::RingConsumer> consumers;
  for (uint32_t c = 0; c < channel_count; ++c) {
    from.push_back(std::make_unique<TestRing>(1024));
    to.push_back(std::make_unique<TestRing>(slots));
    sources.push_back({c * 3, "channel", from.back()->memory()});
    targets.push_back({c * 3, "channel", to.back()->memory()});
    producers.emplace_back(from.back()->memory());
    consumers.emplace_back(to.back()->memory());
  }
  bridges::protocol::BlobEncoder encoder(sources);
  bridges::protocol::BlobDecoder decoder("peer", targets);
  std::vector<std::vector<link::Record>> sent(channel_count), received(channel_count);
  std::vector<int64_t> now(channel_count, 0);
  const auto take = [&] {
    for (uint32_t c = 0; c < channel_count; ++c) {
      while (const link::Record* record = consumers[c].front()) {
        if (record->kind == link::RecordKind::kCredit) received[c].push_back(*record);
        consumers[c].pop();
      }
    }
  };
  const int messages = *rc::gen::inRange(1, 6);
  for (int message = 0; message < messages; ++message) {
    const auto steps = *rc::gen::container<std::vector<std::pair<uint32_t, int>>>(
        rc::gen::pair(rc::gen::inRange<uint32_t>(0, channel_count), rc::gen::inRange(0, 6)));
    for (const auto& [c, step] : steps) {
      now[c] += step / 2;
      const link::Record record =
          make(c * 3, step % 2 == 0 ? link::RecordKind::kCredit : link::RecordKind::kPromise, now[c]);
      if (!producers[c].try_push(record)) continue;
      if (record.kind == link::RecordKind::kCredit) sent[c].push_back(record);
    }
    std::string blob;
    encoder.collect();
    encoder.finish(blob);
    RC_ASSERT(decoder.start(blob).ok());
    while (!decoder.done()) {
      const absl::StatusOr<size_t> moved = decoder.push();
      RC_ASSERT(moved.ok());
      RC_ASSERT(*moved > 0u);
      take();
    }
    for (uint32_t c = 0; c < channel_count; ++c) {
      RC_ASSERT(decoder.records(c) == encoder.records(c));
      RC_ASSERT(decoder.promise(c) == encoder.promise(c));
    }
  }
  for (uint32_t c = 0; c < channel_count; ++c) {
    RC_ASSERT(received[c].size() == sent[c].size());
    for (size_t i = 0; i < sent[c].size(); ++i) {
      RC_ASSERT(received[c][i].time() == sent[c][i].time());
      RC_ASSERT(received[c][i].words == sent[c][i].words);
    }
  }
}

class HostileBlob : public testing::Test {
 protected:
  absl::Status decode(const std::string& blob) {
    if (absl::Status status = decoder_.start(blob); !status.ok()) return status;
    return decoder_.push().status();
  }
  TestRing ring_{8};
  bridges::protocol::BlobDecoder decoder_{"worker:unix", {{4, "router[0].x+->router[1].x-", ring_.memory()}}};
};

TEST_F(HostileBlob, OddSize) {
  const absl::Status status = decode(std::string(65, '\0'));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("worker:unix: protocol error: 65 bytes"));
}

TEST_F(HostileBlob, ForeignChannel) {
  EXPECT_THAT(std::string(decode(bytes_of({make(5, link::RecordKind::kCredit, 1)})).message()),
              HasSubstr("channel 5 which is none"));
}

TEST_F(HostileBlob, EnormousChannel) {
  EXPECT_THAT(std::string(decode(bytes_of({make(0xffffffff, link::RecordKind::kCredit, 1)})).message()),
              HasSubstr("channel 4294967295 which is none"));
}

TEST_F(HostileBlob, UnknownKind) {
  EXPECT_THAT(std::string(decode(bytes_of({make(4, static_cast<link::RecordKind>(77), 1)})).message()),
              HasSubstr("(router[0].x+->router[1].x-) of unknown kind 77"));
  EXPECT_THAT(std::string(decode(bytes_of({make(4, link::RecordKind::kInvalid, 1)})).message()),
              HasSubstr("unknown kind 0"));
}

TEST_F(HostileBlob, OwnershipBit) {
  link::Record record = make(4, link::RecordKind::kCredit, 1);
  record.stamp |= link::Record::kOwnershipBit;
  EXPECT_THAT(std::string(decode(bytes_of({record})).message()), HasSubstr("bit 63"));
}

TEST_F(HostileBlob, TimeGoesBackwards) {
  const absl::Status status =
      decode(bytes_of({make(4, link::RecordKind::kPromise, 20), make(4, link::RecordKind::kCredit, 19)}));
  EXPECT_THAT(std::string(status.message()), HasSubstr("at 19 ns, which is before the 20 ns that were promised"));
}

TEST_F(HostileBlob, AfterTheEnd) {
  const absl::Status status =
      decode(bytes_of({make(4, link::RecordKind::kEnd, 20), make(4, link::RecordKind::kPromise, 21)}));
  EXPECT_THAT(std::string(status.message()), HasSubstr("after the end of the channel"));
}

TEST_F(HostileBlob, FullRingHoldsTheRestBack) {
  std::vector<link::Record> records;
  for (int64_t ns = 1; ns <= 20; ++ns) records.push_back(make(4, link::RecordKind::kCredit, ns));
  ASSERT_TRUE(decoder_.start(bytes_of(records)).ok());
  EXPECT_EQ(*decoder_.push(), 8u);
  EXPECT_EQ(*decoder_.push(), 0u);
  EXPECT_FALSE(decoder_.done());
  link::RingConsumer consumer(ring_.memory());
  consumer.pop();
  EXPECT_EQ(*decoder_.push(), 1u);
}

}  // namespace
}  // namespace fabrictwin
