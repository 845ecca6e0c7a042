// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes over what recorded runs communicate.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "workloads/trace/format/source.h"
#include "workloads/trace/tools/compare.h"

namespace fabrictwin {

/// The hash of each rank of the recorded run `name` ("hpcg-8"), in rank order.
inline std::vector<uint64_t> recorded_hashes(const std::string& name) {
  std::ifstream file("tests/workloads/data/recorded-hashes.txt");
  std::vector<uint64_t> hashes;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string run;
    size_t rank = 0;
    uint64_t hash = 0;
    if (!(words >> run >> rank >> std::hex >> hash) || run != name) continue;
    EXPECT_EQ(rank, hashes.size()) << "a line of " << name << " is missing";
    hashes.push_back(hash);
  }
  return hashes;
}

/// Checks that each rank of `trace` communicates what the recorded run `name` does.
inline void expect_recorded(const trace::format::Source& trace, const std::string& name) {
  const std::vector<uint64_t> expected = recorded_hashes(name);
  ASSERT_EQ(expected.size(), trace.ranks()) << name;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const absl::StatusOr<uint64_t> hash = trace::tools::communication_hash(*trace.rank(rank));
    ASSERT_TRUE(hash.ok()) << hash.status();
    EXPECT_EQ(*hash, expected[rank]) << name << ", rank " << rank;
  }
}

/// What is left of a rank's events without sizes, and how much it sends.
struct RankShape {
  uint64_t hash = 0;        ///< Over actions, peers, tags and datatypes.
  uint64_t sent_bytes = 0;  ///< In point-to-point messages.
};

/// Events with all counts zero.
class SizelessEvents final : public trace::format::EventSource {
 public:
  explicit SizelessEvents(std::unique_ptr<trace::format::EventSource> source) : source_(std::move(source)) {}
  uint64_t sent_bytes() const { return sent_bytes_; }

  absl::StatusOr<bool> next(trace::format::Event& event) override {
    absl::StatusOr<bool> more = source_->next(event);
    if (!more.ok() || !*more) return more;
    if (event.action == v1::SEND || event.action == v1::ISEND || event.action == v1::SENDRECV)
      sent_bytes_ += trace::format::event_bytes(event);
    event.count = event.receive_count = 0;
    event.send_counts.assign(event.send_counts.size(), 0);
    event.receive_counts.assign(event.receive_counts.size(), 0);
    return true;
  }

 private:
  std::unique_ptr<trace::format::EventSource> source_;
  uint64_t sent_bytes_ = 0;
};

inline RankShape shape_of(const trace::format::Source& trace, uint32_t rank) {
  SizelessEvents events(trace.rank(rank));
  const absl::StatusOr<uint64_t> hash = trace::tools::communication_hash(events);
  EXPECT_TRUE(hash.ok()) << hash.status();
  return {hash.value_or(0), events.sent_bytes()};
}

/// The shape of each rank of the recorded run `name` ("lammps-lj-8"), in rank order.
inline std::vector<RankShape> recorded_shapes(const std::string& name) {
  std::ifstream file("tests/workloads/data/recorded-shapes.txt");
  std::vector<RankShape> shapes;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string run;
    size_t rank = 0;
    RankShape shape;
    if (!(words >> run >> rank >> std::hex >> shape.hash >> std::dec >> shape.sent_bytes) || run != name) continue;
    EXPECT_EQ(rank, shapes.size()) << "a line of " << name << " is missing";
    shapes.push_back(shape);
  }
  return shapes;
}

/// Checks that each rank of `trace` calls what the recorded run `name` does, and that the bytes sent are within `error`
/// (a share) in all, and within `rank_error` on each rank.
inline void expect_recorded_shape(const trace::format::Source& trace, const std::string& name, double error,
                                  double rank_error) {
  const std::vector<RankShape> expected = recorded_shapes(name);
  ASSERT_EQ(expected.size(), trace.ranks()) << name;
  double recorded = 0;
  double generated = 0;
  for (uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    const RankShape shape = shape_of(trace, rank);
    EXPECT_EQ(shape.hash, expected[rank].hash) << name << ", rank " << rank;
    const double bytes = static_cast<double>(expected[rank].sent_bytes);
    EXPECT_NEAR(static_cast<double>(shape.sent_bytes), bytes, rank_error * bytes) << name << ", rank " << rank;
    recorded += bytes;
    generated += static_cast<double>(shape.sent_bytes);
  }
  EXPECT_NEAR(generated, recorded, error * recorded) << name;
}

}  // namespace fabrictwin
