// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "rapidcheck/gtest.h"
#include "tests/workloads/random_event.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/format/frame.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Program small_program() {
  Program program(2);
  for (int32_t rank = 0; rank < 2; ++rank) {
    program[rank].push_back(event_of(v1::INIT));
    program[rank].push_back(compute_for(Time::from_ns(1234 + rank)));
    program[rank].push_back(message(v1::IRECV, 1 - rank, 99, 256));
    program[rank].push_back(message(v1::SEND, 1 - rank, 99, 256));
    program[rank].push_back(message(v1::WAIT_RECV, 1 - rank, 99));
    program[rank].push_back(collective(v1::ALLREDUCE, 1, v1::DOUBLE));
    program[rank].push_back(event_of(v1::FINALIZE));
  }
  program[0][5].peer = program[1][5].peer = 0;
  for (auto& events : program) events[5].receive_count = 0, events[5].receive_datatype = v1::BYTE;
  return program;
}

std::string small_file() {
  TestFolder folder;
  EXPECT_TRUE(write_trace(folder.file("a.fttrace"), small_program()).ok());
  return read_file(folder.file("a.fttrace"));
}

std::string message_of_bytes(std::string bytes) {
  return std::string(read_trace_bytes(std::move(bytes)).status().message());
}

// A message with its length in front.
std::string chunk(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.WriteVarint32(static_cast<uint32_t>(message.ByteSizeLong()));
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

// A trace file made by hand from parts, so that each can lie.
struct Forgery {
  v1::TraceHeader header;
  v1::TraceBlock block;
  v1::TraceIndex index;
  v1::TraceColumns columns;
  uint32_t index_bytes = 0;  ///< Claimed; 0: the truth.

  Forgery() {
    header.set_version(1);
    header.set_ranks(1);
    columns.set_actions(std::string(1, static_cast<char>(v1::SEND)));
    columns.set_peers(std::string(1, '\0'));
    columns.set_tags(std::string(1, '\0'));
    columns.set_counts(std::string(1, '\x08'));
    columns.set_datatypes(std::string(1, '\0'));
    columns.set_duration_unit_fs(1);
    block.set_events(1);
    v1::RankIndex& rank = *index.add_ranks();
    rank.set_events(1);
    v1::BlockPosition& position = *rank.add_blocks();
    position.set_events(1);
    v1::ActionSummary& action = *rank.add_actions();
    action.set_action(v1::SEND);
    action.set_count(1);
  }

  void seal() {
    const std::string plain = columns.SerializeAsString();
    block.set_columns_bytes(static_cast<uint32_t>(plain.size()));
    block.set_columns(trace::format::compress_frame(plain));
  }

  std::string bytes() {
    if (block.columns().empty()) seal();
    std::string file(trace::format::kTraceMagic);
    file += chunk(header);
    const std::string block_bytes = chunk(block);
    if (index.ranks_size() > 0 && index.ranks(0).blocks_size() > 0) {
      v1::BlockPosition& position = *index.mutable_ranks(0)->mutable_blocks(0);
      if (position.offset() == 0) position.set_offset(file.size());
      if (position.bytes() == 0) position.set_bytes(static_cast<uint32_t>(block_bytes.size()));
    }
    file += block_bytes;
    const uint64_t offset = file.size();
    const std::string plain = index.SerializeAsString();
    v1::TraceIndexChunk index_chunk;
    index_chunk.set_index_bytes(index_bytes == 0 ? static_cast<uint32_t>(plain.size()) : index_bytes);
    index_chunk.set_index(trace::format::compress_frame(plain));
    file += chunk(index_chunk);
    std::string trailer(8, '\0');
    google::protobuf::io::CodedOutputStream::WriteLittleEndian64ToArray(offset,
                                                                        reinterpret_cast<uint8_t*>(trailer.data()));
    return file + trailer + std::string(trace::format::kTraceEndMagic);
  }
};

RC_GTEST_PROP(TraceFile, KeepsEveryEvent, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 6);
  TestFolder folder;
  trace::format::Info info;
  info.ranks = ranks;
  info.application = "app";
  auto writer = trace::format::Writer::create(folder.file("a.fttrace"), info);
  RC_ASSERT(writer.ok());
  Program program(ranks);
  const int events = *rc::gen::inRange(0, 200);
  for (int i = 0; i < events; ++i) {
    const uint32_t rank = *rc::gen::inRange<uint32_t>(0, ranks);
    program[rank].push_back(random_event(ranks));
    RC_ASSERT((*writer)->append(rank, program[rank].back()).ok());
    if (*rc::gen::inRange(0, 20) == 0) RC_ASSERT((*writer)->flush(rank).ok());
  }
  RC_ASSERT((*writer)->finish().ok());
  auto reader = trace::format::Reader::open(folder.file("a.fttrace"));
  RC_ASSERT(reader.ok());
  RC_ASSERT((*reader)->header().application() == "app");
  RC_ASSERT((*reader)->events() == static_cast<uint64_t>(events));
  auto read = read_trace(*reader);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == program);
}

TEST(TraceFile, SpansBlocksAndIndexesThem) {
  TestFolder folder;
  Program program(2);
  for (int i = 0; i < 20'000; ++i) {
    program[0].push_back(compute_for(Time::from_ns(i)));
    program[1].push_back(message(i % 2 == 0 ? v1::IRECV : v1::WAIT_RECV, trace::format::kAnySource, i));
  }
  ASSERT_TRUE(write_trace(folder.file("a.fttrace"), program).ok());
  auto reader = trace::format::Reader::open(folder.file("a.fttrace"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_GT((*reader)->rank(0).blocks.size(), 1u);
  EXPECT_EQ((*reader)->rank(0).count(v1::COMPUTE), 20'000u);
  EXPECT_EQ((*reader)->rank(1).wildcard_receives, 10'000u);
  EXPECT_EQ(*read_trace(*reader), program);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.fttrace.part")));
}

TEST(TraceFile, RefusesWhatIsNotWellFormed) {
  TestFolder folder;
  const std::string path = folder.file("a.fttrace");
  {
    auto writer = trace::format::Writer::create(path, {.ranks = 2, .application = "", .source = ""});
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->append(1, event_of(v1::INIT)).ok());
    EXPECT_THAT(std::string((*writer)->append(1, message(v1::SEND, 2, 0)).message()),
                HasSubstr("a.fttrace: rank 1, event 1: rank 2 does not exist: the trace has 2 ranks"));
    EXPECT_THAT(std::string((*writer)->append(2, event_of(v1::INIT)).message()), HasSubstr("rank 2 does not exist"));
    EXPECT_FALSE((*writer)->append(1, message(v1::SEND, 0, -1)).ok());
    EXPECT_FALSE((*writer)->append(1, message(v1::SEND, trace::format::kAnySource, 1)).ok());
    EXPECT_FALSE((*writer)->append(1, message(v1::SEND, 0, 1, trace::format::kMaxMessageBytes + 1)).ok());
    EXPECT_FALSE((*writer)->append(1, event_of(v1::TRACE_ACTION_UNSPECIFIED)).ok());
    EXPECT_FALSE((*writer)->append(1, event_of(v1::ALLTOALLV)).ok()) << "has no counts";
  }
  // Nothing is left of a file that was not finished.
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_FALSE(trace::format::Writer::create(path, {.ranks = 0, .application = "", .source = ""}).ok());
  EXPECT_FALSE(trace::format::Writer::create(folder.file("no/such/folder/a.fttrace"),
                                             {.ranks = 1, .application = "", .source = ""})
                   .ok());
}

TEST(TraceFile, IsWrittenThroughLinksAndNeverInPlaceOfPipes) {
  // Made in a folder of the same name, so before.
  const std::string expected = small_file();
  TestFolder folder;
  const std::string file = folder.write("a.fttrace", "old");
  std::filesystem::create_symlink("a.fttrace", folder.path() / "link");
  ASSERT_TRUE(write_trace(folder.file("link"), small_program()).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(file), expected);
  ASSERT_EQ(mkfifo(folder.file("fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("fifo", folder.path() / "pipe");
  for (const char* name : {"fifo", "pipe"}) {
    EXPECT_THAT(std::string(write_trace(folder.file(name), small_program()).message()),
                HasSubstr("is a device or a pipe"));
  }
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path() / "fifo"));
}

TEST(TraceFile, SaysWhenItCannotBeOpened) {
  TestFolder folder;
  const auto missing = trace::format::Reader::open(folder.file("missing.fttrace"));
  EXPECT_TRUE(absl::IsNotFound(missing.status()));
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("missing.fttrace: cannot be opened"));
  EXPECT_FALSE(trace::format::Reader::open(folder.path().string()).ok());
}

TEST(TraceFile, EveryTruncationIsAnError) {
  const std::string file = small_file();
  for (size_t size = 0; size < file.size(); ++size) EXPECT_FALSE(read_trace_bytes(file.substr(0, size)).ok()) << size;
  EXPECT_THAT(message_of_bytes(file.substr(0, file.size() - 1)), HasSubstr("memory: is cut off"));
  EXPECT_THAT(message_of_bytes(file + "x"), HasSubstr("memory: is cut off after rank "));
}

TEST(TraceFile, ATruncationSaysHowFarTheFileGoes) {
  TestFolder folder;
  const Program program(1, std::vector<trace::format::Event>(20'000, compute_for(Time::from_ns(1))));
  ASSERT_TRUE(write_trace(folder.file("a.fttrace"), program).ok());
  const std::string file = read_file(folder.file("a.fttrace"));
  const auto reader = trace::format::Reader::open(folder.file("a.fttrace"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto& blocks = (*reader)->rank(0).blocks;
  ASSERT_EQ(blocks.size(), 3);
  EXPECT_THAT(message_of_bytes(file.substr(0, blocks[2].offset + 1)),
              HasSubstr("memory: is cut off after rank 0, event 16383: it does not end with an index; copy it again"));
  EXPECT_THAT(message_of_bytes(file.substr(0, blocks[1].offset)), HasSubstr("is cut off after rank 0, event 8191"));
  EXPECT_THAT(message_of_bytes(file.substr(0, blocks[1].offset - 1)), HasSubstr("is cut off before the first event"));
}

TEST(TraceFile, NoChangedBitChangesAnEvent) {
  const std::string file = small_file();
  const Program program = small_program();
  int errors = 0;
  for (size_t at = 0; at < file.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const auto read = read_trace_bytes(damaged);
      errors += read.ok() ? 0 : 1;
      if (read.ok()) {
        EXPECT_EQ(*read, program) << "byte " << at << ", bit " << bit;
      }
    }
  }
  EXPECT_GT(errors, 0);
}

TEST(TraceFile, ADamagedBlockHurtsOnlyItsRank) {
  TestFolder folder;
  ASSERT_TRUE(write_trace(folder.file("a.fttrace"), small_program()).ok());
  std::string file = read_file(folder.file("a.fttrace"));
  auto sound = trace::format::Reader::open(trace::format::make_memory_source(file, "x"));
  ASSERT_TRUE(sound.ok());
  const trace::format::BlockRef block = (*sound)->rank(1).blocks[0];
  file[block.offset + block.bytes - 3] ^= 0x10;
  auto reader = trace::format::Reader::open(trace::format::make_memory_source(file, "run.fttrace"));
  ASSERT_TRUE(reader.ok());
  EXPECT_TRUE(trace::format::RankCursor(*reader, 0).next().ok());
  trace::format::RankCursor cursor(*reader, 1);
  const auto event = cursor.next();
  ASSERT_FALSE(event.ok());
  EXPECT_THAT(std::string(event.status().message()),
              HasSubstr("run.fttrace: rank 1, event 0: the block cannot be decompressed"));
  EXPECT_EQ(cursor.next().status(), event.status()) << "fails again";
}

TEST(TraceFile, RefusesOtherFiles) {
  EXPECT_THAT(message_of_bytes("PK\x03\x04 something else entirely"),
              HasSubstr("memory: is not a trace file (.fttrace)"));
  EXPECT_THAT(message_of_bytes(""), HasSubstr("is not a trace file"));
}

TEST(TraceFile, AForgeryWithoutLiesIsRead) {
  Forgery forgery;
  const auto program = read_trace_bytes(forgery.bytes());
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(*program, Program({{message(v1::SEND, 0, 0, 8)}}));
}

TEST(TraceFile, RefusesOtherVersionsAndAbsurdHeaders) {
  Forgery version;
  version.header.set_version(2);
  EXPECT_THAT(message_of_bytes(version.bytes()),
              HasSubstr("has version 2 of the trace format; this program reads version 1"));
  Forgery ranks;
  ranks.header.set_ranks(trace::format::kMaxRanks + 1);
  EXPECT_THAT(message_of_bytes(ranks.bytes()), HasSubstr("claims 16777217 ranks"));
  Forgery many;
  many.header.set_ranks(trace::format::kMaxRanks);
  EXPECT_THAT(message_of_bytes(many.bytes()), HasSubstr("has an index of 1 ranks where 16777216 are announced"));
  EXPECT_THAT(message_of_bytes(std::string(trace::format::kTraceMagic) + "\xff\xff\xff\xff\x0f"),
              HasSubstr("claims a header of 4294967295 bytes"));
}

TEST(TraceFile, RefusesAnIndexThatLies) {
  Forgery size;
  size.index_bytes = 0xffffffff;
  EXPECT_THAT(message_of_bytes(size.bytes()), HasSubstr("claims 4294967295 bytes, more than the limit"));
  Forgery outside;
  outside.index.mutable_ranks(0)->mutable_blocks(0)->set_offset(uint64_t{1} << 60);
  EXPECT_THAT(message_of_bytes(outside.bytes()), HasSubstr("rank 0 has a block outside the file"));
  Forgery events;
  events.index.mutable_ranks(0)->mutable_blocks(0)->set_events(1'000'000);
  EXPECT_THAT(message_of_bytes(events.bytes()), HasSubstr("has a block of 1000000 events"));
  Forgery sum;
  sum.index.mutable_ranks(0)->set_events(2);
  EXPECT_THAT(message_of_bytes(sum.bytes()), HasSubstr("blocks of 1 events in all where 2 are announced"));
  Forgery actions;
  actions.index.mutable_ranks(0)->mutable_actions(0)->set_count(0);
  EXPECT_THAT(message_of_bytes(actions.bytes()), HasSubstr("do not add up"));
  Forgery peers;
  peers.index.mutable_ranks(0)->add_peers()->set_rank(7);
  EXPECT_THAT(message_of_bytes(peers.bytes()), HasSubstr("peers that do not exist"));
  Forgery ranks;
  ranks.index.add_ranks();
  EXPECT_THAT(message_of_bytes(ranks.bytes()), HasSubstr("has an index of more than its 1 ranks"));
}

TEST(TraceFile, RefusesABlockThatLies) {
  Forgery bomb;
  bomb.block.set_columns(trace::format::compress_frame(std::string(trace::format::kMaxColumnsBytes + 1, '\0')));
  bomb.block.set_columns_bytes(trace::format::kMaxColumnsBytes + 1);
  EXPECT_THAT(message_of_bytes(bomb.bytes()),
              HasSubstr("rank 0, event 0: the block claims 16777217 bytes, more than the limit"));
  Forgery size;
  size.seal();
  size.block.set_columns_bytes(10);
  EXPECT_THAT(message_of_bytes(size.bytes()), HasSubstr("where 10 are announced"));
  Forgery rank;
  rank.block.set_rank(3);
  EXPECT_THAT(message_of_bytes(rank.bytes()), HasSubstr("the block holds rank 3"));
  Forgery text;
  text.block.set_columns("not zstd at all");
  text.block.set_columns_bytes(5);
  EXPECT_THAT(message_of_bytes(text.bytes()), HasSubstr("is not a zstd frame"));
}

TEST(TraceFile, RefusesColumnsThatLie) {
  const auto with = [](auto change) {
    Forgery forgery;
    change(forgery.columns);
    return message_of_bytes(forgery.bytes());
  };
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.clear_actions(); }),
              HasSubstr("rank 0, event 0: the column of actions ends too early"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_actions("\x7f"); }), HasSubstr("127 is not an action"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_peers("\x80"); }),
              HasSubstr("the column of peers ends too early"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_peers("\xff\xff\xff\xff\xff\x01"); }),
              HasSubstr("more than 32 bits"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_peers("\x04"); }), HasSubstr("rank 2 does not exist"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_counts(std::string(10, '\xff') + '\x01'); }),
              HasSubstr("more than 64 bits"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_counts(std::string(8, '\xff') + '\x01'); }),
              HasSubstr("more than a message can have"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_datatypes("\x55"); }),
              HasSubstr("85 is not a datatype"));
  EXPECT_THAT(with([](v1::TraceColumns& columns) { columns.set_tags(std::string(2, '\0')); }),
              HasSubstr("hold more than the events"));
  EXPECT_THAT(
      with([](v1::TraceColumns& columns) { columns.set_actions(std::string(1, static_cast<char>(v1::COMPUTE))); }),
      HasSubstr("durations ends too early"));
}

}  // namespace
}  // namespace fabrictwin
