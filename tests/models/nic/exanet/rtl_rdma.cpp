// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/nic/exanet/rtl_rdma.h"

#include <gtest/gtest.h>

#include <utility>

#include "VRdmaUnit__inputs.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

template <class Pins>
void put(Pins& pins, const link::Word& word) {
  pins[0] = static_cast<uint32_t>(word.lo);
  pins[1] = static_cast<uint32_t>(word.lo >> 32);
  pins[2] = static_cast<uint32_t>(word.hi);
  pins[3] = static_cast<uint32_t>(word.hi >> 32);
}

template <class Pins>
link::Word get(const Pins& pins) {
  return {pins[0] | uint64_t{pins[1]} << 32, pins[2] | uint64_t{pins[3]} << 32};
}

}  // namespace

RtlRdma::RtlRdma(nic::exanet::Node node, nic::exanet::Numbering numbering, uint16_t pdid, int64_t latency)
    : pdid_(pdid),
      latency_(latency),
      context_(std::make_unique<RandomStateContext>()),
      unit_(std::make_unique<VRdmaUnit>(context_.get())) {
  zero_inputs(*unit_);
  unit_->node_i = node;
  unit_->tile_bits_i = static_cast<uint8_t>(numbering.tile_bits);
  unit_->x_bits_i = static_cast<uint8_t>(numbering.x_bits);
  unit_->y_bits_i = static_cast<uint8_t>(numbering.y_bits);
  for (int i = 0; i < 2; ++i) cycle();
  unit_->rst_ni = 1;
  host_write(0x10000, {make_word(pdid | uint64_t{1} << 16, 0)});
  for (int i = 0; i < 1100; ++i) cycle();
}

RtlRdma::~RtlRdma() = default;

void RtlRdma::start(const Transfer& transfer) {
  const auto words = transfer.descriptor();
  host_write(transfer.address(), {words.begin(), words.end()});
}

void RtlRdma::configure(const nic::exanet::CcaSettings& congestion) {
  const auto word = [](const link::Word& value) { return make_word(value.lo, value.hi); };
  std::vector<Word128> table;
  for (int32_t i = 0; i < nic::exanet::CcaSettings::kEntries; i += nic::exanet::CcaSettings::kEntriesOfWrite)
    table.push_back(word(congestion.entries(i)));
  host_write(0x10800, table);
  host_write(0x10300, {word(congestion.register_value())});
}

void RtlRdma::cycle() {
  VRdmaUnit& u = *unit_;
  drive_host();
  drive_memory();
  u.request_ready_i = u.answer_ready_i = 1;
  u.rx_valid_i = !arriving_.empty();
  if (u.rx_valid_i) {
    u.rx_sop_i = position_ == 0;
    u.rx_eop_i = position_ + 1 == arriving_.front().count;
    put(u.rx_data_i, arriving_.front().words[position_]);
  }
  u.time_i = static_cast<uint32_t>(now_);
  u.clk_i = 0;
  u.eval();
  // In the first edges of a reset, outputs are what registers began with.
  if (u.rst_ni != 0) {
    edge_host();
    edge_memory();
    take(u.request_valid_o, u.request_eop_o, get(u.request_data_o), 0);
    take(u.answer_valid_o, u.answer_eop_o, get(u.answer_data_o), 1);
  }
  if (u.rx_valid_i && u.rx_ready_o && ++position_ == arriving_.front().count) {
    note('x');
    arriving_.pop_front();
    position_ = 0;
  }
  u.clk_i = 1;
  u.eval();
  if (u.rst_ni) ++now_;
}

void RtlRdma::drive_host() {
  VRdmaUnit& u = *unit_;
  u.s_bready_i = 1;
  u.s_awvalid_i = !accesses_.empty() && !addressed_;
  u.s_wvalid_i = !accesses_.empty() && beat_ < accesses_.front().words.size();
  if (u.s_awvalid_i) u.s_awaddr_i = accesses_.front().address;
  if (!u.s_wvalid_i) return;
  for (size_t i = 0; i < 4; ++i) u.s_wdata_i[i] = accesses_.front().words[beat_][i];
  u.s_wstrb_i = 0xffff;
  u.s_wlast_i = beat_ + 1 == accesses_.front().words.size();
}

void RtlRdma::edge_host() {
  VRdmaUnit& u = *unit_;
  if (u.s_awvalid_i && u.s_awready_o) addressed_ = true;
  if (u.s_wvalid_i && u.s_wready_o) {
    ++beat_;
    if (u.s_wlast_i) note('d');
  }
  if (!u.s_bvalid_o) return;
  EXPECT_EQ(u.s_bresp_o, 0) << "refused: " << std::hex << accesses_.front().address;
  accesses_.pop_front();
  addressed_ = false;
  beat_ = 0;
}

void RtlRdma::drive_memory() {
  VRdmaUnit& u = *unit_;
  u.m_awready_i = u.m_wready_i = u.m_arready_i = 1;
  u.m_bresp_i = u.m_rresp_i = 0;
  u.m_bvalid_i = !answers_.empty() && answers_.front() <= now_;
  u.m_rvalid_i = !reads_.empty() && reads_.front().time <= now_;
  if (!u.m_rvalid_i) return;
  Burst& burst = reads_.front();
  if (burst.next == 0)
    client->read_memory(burst.address,
                        std::as_writable_bytes(std::span(burst.data)).first(burst.words * link::kWordBytes));
  put(u.m_rdata_i, burst.data[burst.next]);
  u.m_rlast_i = burst.next + 1 == burst.words;
}

void RtlRdma::edge_memory() {
  VRdmaUnit& u = *unit_;
  if (u.m_bvalid_i && u.m_bready_o) {
    note('b');
    answers_.pop_front();
  }
  if (u.m_rvalid_i && u.m_rready_o && ++reads_.front().next == reads_.front().words) {
    note('r');
    reads_.pop_front();
  }
  if (u.m_arvalid_o) {
    note('a');
    EXPECT_EQ(u.m_aruser_o & 0xffff, pdid_);
    reads_.push_back({u.m_araddr_o, u.m_arlen_o + size_t{1}, 0, now_ + latency_, {}, {}});
  }
  if (u.m_awvalid_o) {
    note('w');
    EXPECT_EQ(u.m_awuser_o & 0xffff, pdid_);
    writes_.push_back({u.m_awaddr_o, u.m_awlen_o + size_t{1}, 0, 0, {}, {}});
  }
  if (!u.m_wvalid_o) return;
  // Words may come before their address.
  beats_.emplace_back(get(u.m_wdata_o), u.m_wstrb_o);
  while (!writes_.empty() && !beats_.empty()) {
    Burst& burst = writes_.front();
    burst.data[burst.next] = beats_.front().first;
    burst.strobes[burst.next / 4] |= uint64_t{beats_.front().second} << (burst.next % 4 * 16);
    beats_.pop_front();
    if (++burst.next < burst.words) continue;
    client->write_memory(burst.address, std::as_bytes(std::span(burst.data)).first(burst.words * link::kWordBytes),
                         burst.strobes);
    answers_.push_back(now_ + latency_);
    writes_.pop_front();
  }
}

void RtlRdma::take(bool valid, bool end, const link::Word& word, uint8_t vc) {
  if (!valid) return;
  nic::exanet::Words& packet = leaving_[vc];
  if (packet.count == 0) note('t');
  if (end) note('e');
  packet.vc = vc;
  packet.words[packet.count++] = word;
  if (!end) return;
  transmit(packet);
  packet.count = 0;
}

void RtlRdma::host_write(uint32_t address, std::vector<Word128> words) {
  accesses_.push_back({address, std::move(words)});
}

}  // namespace fabrictwin::test
