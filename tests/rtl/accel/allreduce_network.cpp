// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/accel/allreduce_network.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "VAllreduceClient.h"
#include "VAllreduceServer.h"
#include "rtl/transactor/verilated_clock.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kCommand = 0x100;
constexpr uint32_t kGroup = 0x108;
constexpr uint32_t kTimeout = 0x110;
constexpr uint32_t kTable = 0x2000;
constexpr uint64_t kEnable = uint64_t{1} << 63;
constexpr size_t kRegister = 8;

template <class Model>
class Device final : public AllreduceDevice {
 public:
  explicit Device(uint32_t node) {
    model_.node_i = node;
    model_.tile_bits_i = 2;
    model_.x_bits_i = 2;
    model_.y_bits_i = 2;
    model_.event_ready_i = 1;
    model_.rst_ni = 0;
    edge();
    edge();
    model_.rst_ni = 1;
    model_.eval();
  }
  Answer set(const Access& access, const Incoming& incoming, bool tx_ready) override {
    model_.request_valid_i = access.valid;
    model_.request_write_i = access.write;
    model_.request_address_i = static_cast<uint16_t>(access.address / kRegister);
    model_.request_data_i = access.data;
    model_.rx_valid_i = incoming.valid;
    model_.rx_sop_i = incoming.sop;
    model_.rx_eop_i = incoming.eop;
    for (size_t i = 0; i < 4; ++i) model_.rx_data_i[i] = incoming.data[i];
    model_.tx_ready_i = tx_ready;
    model_.eval();
    return {model_.response_error_o != 0, model_.response_data_o};
  }
  Outgoing outgoing() const override {
    Outgoing out{model_.tx_valid_o != 0, {}};
    for (size_t i = 0; i < 4; ++i) out.data[i] = model_.tx_data_o[i];
    return out;
  }
  bool event() const override { return model_.event_valid_o != 0; }
  bool idle() const override { return model_.idle_o != 0; }
  void edge() override { rtl::rising_edge_in_two(model_); }

 private:
  RandomStateContext context_;
  Model model_{&context_};
};

uint32_t crc_of(const std::vector<Word128>& packet) {
  uint32_t crc = ~uint32_t{0};
  for (const Word128& word : packet) {
    for (const uint32_t part : word) {
      for (int i = 0; i < 32; ++i) {
        const uint32_t bit = (crc ^ part >> i) & 1;
        crc = crc >> 1 ^ (bit != 0 ? 0xedb88320u : 0);
      }
    }
  }
  return ~crc;
}

}  // namespace

size_t packet_words(const Word128& header) { return 2 + ((header[1] >> 16 & 0x3ff) + 15) / 16; }

void seal(std::vector<Word128>& packet) {
  packet.back()[0] = 0;
  packet.back()[0] = crc_of(packet);
}

AllreduceNetwork::AllreduceNetwork(int ranks, const Weather& weather, uint32_t seed)
    : weather_(weather),
      random_(seed),
      hosts_(static_cast<size_t>(ranks)),
      paths_(hosts_.size()),
      words_in_(hosts_.size()),
      going_out_(hosts_.size()) {
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank % nic::kReduceGroup == 0) {
      devices_.push_back(std::make_unique<Device<VAllreduceServer>>(node_of(rank)));
    } else {
      devices_.push_back(std::make_unique<Device<VAllreduceClient>>(node_of(rank)));
    }
  }
}

void AllreduceNetwork::configure(uint32_t timeout) {
  const auto levels = static_cast<uint64_t>(std::bit_width(hosts_.size() / nic::kReduceGroup) - 1);
  for (int rank = 0; rank < ranks(); ++rank) {
    access(rank, true, kGroup, kEnable | levels << 16 | static_cast<uint64_t>(rank));
    access(rank, true, kTimeout, timeout);
    for (int other = 0; other < ranks(); ++other)
      access(rank, true, kTable + static_cast<uint32_t>(other) * kRegister, kEnable | node_of(other));
  }
}

AllreduceDevice::Answer AllreduceNetwork::access(int rank, bool write, uint32_t address, uint64_t data) {
  AllreduceDevice& device = *devices_[static_cast<size_t>(rank)];
  const AllreduceDevice::Answer answer = device.set({true, write, address, data}, {}, false);
  device.edge();
  device.set({}, {}, false);
  return answer;
}

void AllreduceNetwork::call_all(nic::ReduceOperation operation, nic::ReduceType type, uint64_t key, size_t bytes) {
  for (int rank = 0; rank < ranks(); ++rank) {
    AllreduceCall one{.operation = operation, .type = type, .vector = std::vector<std::byte>(bytes), .result = {}};
    nic::make_operand(type, key, rank, 0, one.vector);
    call(rank, std::move(one));
  }
}

AllreduceDevice::Access AllreduceNetwork::next_access(Host& host) {
  if (host.call == host.calls.size()) return {};
  AllreduceCall& call = host.calls[host.call];
  uint64_t value = 0;
  switch (host.step) {
    case Step::kWait:
      if (now_ < call.at || chance(weather_.stall)) return {};
      host.step = Step::kVector;
      host.at = 0;
      [[fallthrough]];
    case Step::kVector:
      std::memcpy(&value, &call.vector[host.at], std::min(kRegister, call.vector.size() - host.at));
      return {true, true, static_cast<uint32_t>(host.at), value};
    case Step::kCommand:
      return {
          true, true, kCommand,
          static_cast<uint64_t>(call.operation) << 16 | static_cast<uint64_t>(call.type) << 12 | call.vector.size()};
    case Step::kStatus:
      return {true, false, kCommand, 0};
    case Step::kResult:
      return {true, false, static_cast<uint32_t>(host.at), 0};
    default:
      return {};
  }
}

void AllreduceNetwork::take_answer(Host& host, const AllreduceDevice::Answer& answer) {
  AllreduceCall& call = host.calls[host.call];
  switch (host.step) {
    case Step::kVector:
      host.at += kRegister;
      if (host.at >= call.vector.size()) host.step = Step::kCommand;
      break;
    case Step::kCommand:
      call.begun = now_;
      host.step = Step::kEvent;
      break;
    case Step::kStatus:
      call.code = static_cast<uint32_t>(answer.data >> 4 & 15);
      call.culprit = static_cast<uint32_t>(answer.data >> 8 & 0x3ff);
      host.at = 0;
      host.step = Step::kResult;
      call.result.resize((call.vector.size() + kRegister - 1) / kRegister * kRegister);
      break;
    default:
      std::memcpy(&call.result[host.at], &answer.data, kRegister);
      host.at += kRegister;
      if (host.at < call.result.size()) break;
      call.result.resize(call.vector.size());
      call.done = true;
      ++host.call;
      host.step = Step::kWait;
  }
}

AllreduceDevice::Incoming AllreduceNetwork::next_word(size_t rank) {
  std::deque<Packet>& path = paths_[rank];
  if (path.empty() || path.front().time > now_ || chance(weather_.stall)) return {};
  const std::vector<Word128>& words = path.front().words;
  const size_t at = words_in_[rank]++;
  const AllreduceDevice::Incoming incoming{true, at == 0, at + 1 == words.size(), words[at]};
  if (incoming.eop) {
    words_in_[rank] = 0;
    path.pop_front();
  }
  return incoming;
}

void AllreduceNetwork::take_word(size_t rank, const Word128& word) {
  std::vector<Word128>& packet = going_out_[rank];
  packet.push_back(word);
  if (packet.size() < packet_words(packet.front())) return;
  std::vector<std::vector<Word128>> packets{packet};
  packet.clear();
  if (damage) damage(static_cast<int>(rank), packets);
  for (const std::vector<Word128>& one : packets) route(rank, one);
}

// Packets to a node keep their order, whoever sends them.
void AllreduceNetwork::route(size_t /*rank*/, const std::vector<Word128>& packet) {
  const auto destination = static_cast<size_t>(packet[0][0] >> 24 | (packet[0][1] & 0xffff) << 8);
  if (destination >= paths_.size()) return;
  std::deque<Packet>& path = paths_[destination];
  const auto more = weather_.more == 0 ? 0 : static_cast<int64_t>(random_()) % weather_.more;
  int64_t time = now_ + weather_.delay + more;
  if (!path.empty()) time = std::max(time, path.back().time);
  path.push_back({time, packet});
}

void AllreduceNetwork::edge() {
  for (size_t rank = 0; rank < devices_.size(); ++rank) {
    Host& host = hosts_[rank];
    AllreduceDevice& device = *devices_[rank];
    AllreduceDevice::Access access = next_access(host);
    const bool own = access.valid;
    if (!own && intrude && host.step == Step::kEvent) access = intrude(static_cast<int>(rank));
    const bool ready = !chance(weather_.stall);
    const AllreduceDevice::Answer answer = device.set(access, next_word(rank), ready);
    if (device.event() && host.step != Step::kEvent) ++stray_events_;
    if (device.event() && host.step == Step::kEvent) {
      host.calls[host.call].ended = now_;
      host.step = Step::kStatus;
    } else if (own) {
      take_answer(host, answer);
    }
    if (access.valid && !own) intruded(access, answer);
    const AllreduceDevice::Outgoing out = device.outgoing();
    if (out.valid && ready) take_word(rank, out.data);
  }
  for (const auto& device : devices_) device->edge();
  ++now_;
}

bool AllreduceNetwork::idle() const {
  for (size_t rank = 0; rank < devices_.size(); ++rank) {
    if (hosts_[rank].call < hosts_[rank].calls.size() || !paths_[rank].empty() || !going_out_[rank].empty())
      return false;
  }
  return true;
}

bool AllreduceNetwork::devices_idle() const {
  return std::all_of(devices_.begin(), devices_.end(), [](const auto& device) { return device->idle(); });
}

bool AllreduceNetwork::run(int64_t cycles) {
  const int64_t end = now_ + cycles;
  while (!idle() && now_ < end) edge();
  return idle();
}

}  // namespace fabrictwin::test
