// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing function alone against one that counts steps round each ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "VApeParts.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

using Place = std::array<int, 3>;

struct Question {
  Place size{1, 1, 1};
  Place here{};
  Place to{};
  int ties = 0;
  int tile_port = 0;
  int vc = 0;
  std::array<int, 3> order{0, 1, 2};  ///< 3: none.
  bool vc_by_direction = false;
};

struct Answer {
  int port = 0;
  int vc = 0;
  bool operator==(const Answer&) const = default;
};

struct Shape {
  int dims;
  int intra_ports;
};
constexpr std::array<Shape, 3> kShapes = {{{1, 3}, {2, 2}, {3, 8}}};

/// Steps from `from` in direction `step` until `to`, in a ring.
int steps(int from, int to, int size, int step) {
  int count = 0;
  for (; from != to; ++count) from = (from + step + size) % size;
  return count;
}

/// Empty: the packet cannot be delivered.
std::optional<Answer> reference(const Question& q, const Shape& shape) {
  std::array<bool, 3> left{};  // Dimensions in which there is a way to go.
  for (int d = 0; d < 3; ++d) {
    if (d < shape.dims && q.to[d] >= q.size[d]) return std::nullopt;
    left[d] = q.to[d] != q.here[d];
  }
  std::optional<int> next;
  for (const int d : q.order) {
    if (d >= shape.dims || !left[d]) continue;
    if (!next.has_value()) next = d;
  }
  for (int d = 0; d < 3; ++d) {
    const bool covered = d < shape.dims && (q.order[0] == d || q.order[1] == d || q.order[2] == d);
    if (left[d] && !covered) return std::nullopt;
  }
  if (!next.has_value()) {
    if (q.tile_port >= shape.intra_ports) return std::nullopt;
    return Answer{q.tile_port, q.vc};
  }
  const int d = *next;
  const int forth = steps(q.here[d], q.to[d], q.size[d], 1), back = steps(q.here[d], q.to[d], q.size[d], -1);
  const bool minus = forth == back ? (q.ties >> d & 1) != 0 : back < forth;
  const bool upper = q.vc_by_direction ? !minus : q.to[d] > q.here[d];
  return Answer{shape.intra_ports + 2 * d + (minus ? 1 : 0), upper ? 1 : 0};
}

class ApeRoute : public ::testing::Test {
 protected:
  /// Compares all shapes. What lies beyond a shape's dimensions must be the own position, or no output is allowed.
  void ask(const Question& q) {
    const auto pack = [](const Place& place, int less) {
      uint32_t packed = 0;
      for (int d = 0; d < 3; ++d) packed |= static_cast<uint32_t>(place[d] - less) << (8 * d);
      return packed;
    };
    model_.here_i = pack(q.here, 0);
    model_.last_i = pack(q.size, 1);
    model_.coordinates_i = pack(q.to, 0);
    model_.ties_i = static_cast<uint8_t>(q.ties);
    model_.tile_port_i = static_cast<uint8_t>(q.tile_port);
    model_.vc_i = static_cast<uint8_t>(q.vc);
    model_.order_i = static_cast<uint8_t>(q.order[0] | q.order[1] << 2 | q.order[2] << 4);
    model_.vc_by_direction_i = q.vc_by_direction;
    model_.eval();
    const std::array<int, 3> ports = {model_.route_port1_o, model_.route_port2_o, model_.route_port3_o};
    for (size_t s = 0; s < kShapes.size(); ++s) {
      std::optional<Answer> answer;
      if (model_.route_valid_o >> s & 1) answer = Answer{ports[s], model_.route_vc_o >> s & 1};
      const std::optional<Answer> expected = reference(q, kShapes[s]);
      ASSERT_EQ(answer.has_value(), expected.has_value()) << describe(q, s);
      if (!expected.has_value()) {
        ++seen_["no output"];
        continue;
      }
      ASSERT_EQ(answer->port, expected->port) << describe(q, s);
      ASSERT_EQ(answer->vc, expected->vc) << describe(q, s);
      ++seen_[expected->port < kShapes[s].intra_ports ? "arrived" : "passed on"];
    }
  }

  static std::string describe(const Question& q, size_t shape) {
    std::string text = "shape " + std::to_string(shape);
    for (int d = 0; d < 3; ++d) {
      text += ", " + std::to_string(q.here[d]) + " to " + std::to_string(q.to[d]) + " of " + std::to_string(q.size[d]);
    }
    text += ", ties " + std::to_string(q.ties) + ", order";
    for (const int d : q.order) text += " " + std::to_string(d);
    return text + (q.vc_by_direction ? ", VC by direction" : "");
  }

  RandomStateContext context_;
  VApeParts model_{&context_};
  std::map<std::string, int> seen_;
};

TEST_F(ApeRoute, EveryWayRoundEveryRing) {
  // All sizes up to 24 and some beyond, the largest one included.
  for (int size = 1; size <= 256; size = size < 24 ? size + 1 : size < 200 ? 2 * size + 1 : size == 256 ? 257 : 256) {
    for (int here = 0; here < size; here += size < 30 ? 1 : 7) {
      for (int to = 0; to < size; ++to) {
        for (int d = 0; d < 3; ++d) {
          for (int bits = 0; bits < 4; ++bits) {
            Question q;
            q.size = {3, 4, 5};
            q.size[d] = size;
            q.here = q.to = {2, 1, 3};
            q.here[d] = here;
            q.to[d] = to;
            q.ties = bits & 1 ? 1 << d : 7 & ~(1 << d);
            q.vc_by_direction = (bits & 2) != 0;
            q.vc = to & 1;
            ask(q);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
  EXPECT_GT(seen_["passed on"], 100'000);
  EXPECT_GT(seen_["arrived"], 1'000);
}

TEST_F(ApeRoute, AllOrdersOfAllDimensions) {
  std::mt19937 random(5);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 3000; ++round) {
    Question q;
    for (int d = 0; d < 3; ++d) {
      q.size[d] = 1 + (draw(4) == 0 ? draw(256) : draw(6));
      q.here[d] = draw(q.size[d]);
      // Now and then a position outside the lattice.
      q.to[d] = draw(3) == 0 ? q.here[d] : draw(30) == 0 ? draw(256) : draw(q.size[d]);
    }
    q.ties = draw(8);
    q.vc = draw(2);
    q.tile_port = draw(8);
    q.vc_by_direction = draw(2) != 0;
    for (int order = 0; order < 64; ++order) {
      q.order = {order & 3, order >> 2 & 3, order >> 4};
      ask(q);
      if (HasFatalFailure()) return;
    }
  }
  for (const char* corner : {"no output", "arrived", "passed on"}) EXPECT_GT(seen_[corner], 10'000) << corner;
}

TEST_F(ApeRoute, EachHopComesNearerAndTheWayEnds) {
  std::mt19937 random(9);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 300; ++round) {
    Question q;
    int distance = 0;
    for (int d = 0; d < 3; ++d) {
      q.size[d] = 1 + draw(9);
      q.here[d] = draw(q.size[d]);
      q.to[d] = draw(q.size[d]);
      distance += std::min(steps(q.here[d], q.to[d], q.size[d], 1), steps(q.here[d], q.to[d], q.size[d], -1));
    }
    q.order = {draw(3), 0, 0};
    q.order[1] = (q.order[0] + 1) % 3;
    q.order[2] = (q.order[0] + 2) % 3;
    q.ties = draw(8);
    q.tile_port = draw(8);
    for (; distance >= 0; --distance) {
      ask(q);
      if (HasFatalFailure()) return;
      ASSERT_TRUE(model_.route_valid_o >> 2 & 1);
      const int hop = model_.route_port3_o - 8;
      if (hop < 0) break;
      Place& here = q.here;
      here[hop / 2] = (here[hop / 2] + (hop % 2 != 0 ? -1 : 1) + q.size[hop / 2]) % q.size[hop / 2];
    }
    EXPECT_EQ(distance, 0) << describe(q, 2) << ": not a shortest path";
    EXPECT_EQ(q.here, q.to);
    EXPECT_EQ(model_.route_port3_o, q.tile_port);
  }
}

}  // namespace
}  // namespace fabrictwin::test
