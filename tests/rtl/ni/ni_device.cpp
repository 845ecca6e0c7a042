// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ni/ni_device.h"

#include <gtest/gtest.h>

#include "VSmallNi__inputs.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

template <typename Pins>
void put(Pins&& pins, const NiWord& word) {
  pins[0] = static_cast<uint32_t>(word.lo);
  pins[1] = static_cast<uint32_t>(word.lo >> 32);
  pins[2] = static_cast<uint32_t>(word.hi);
  pins[3] = static_cast<uint32_t>(word.hi >> 32);
}

template <typename Pins>
NiWord get(const Pins& pins) {
  return {pins[0] | uint64_t{pins[1]} << 32, pins[2] | uint64_t{pins[3]} << 32};
}

uint32_t page(uint32_t region, int interface_number) {
  return region << 18 | static_cast<uint32_t>(interface_number) << 12;
}

}  // namespace

uint32_t ni_channel_address(int channel, int word) {
  return page(0, channel / 4) | static_cast<uint32_t>(channel % 4) << 7 | static_cast<uint32_t>(word) << 3;
}
uint32_t ni_entry_address(int interface_number, int slot, int word) {
  return page(1, interface_number) | static_cast<uint32_t>(slot) << 7 | static_cast<uint32_t>(word) << 3;
}
uint32_t ni_tail_address(int interface_number) { return page(1, interface_number) | 0x800; }
uint32_t ni_head_address(int interface_number) { return page(1, interface_number) | 0x808; }
uint32_t ni_packetizer_config_address(int interface_number) { return page(2, interface_number); }
uint32_t ni_mailbox_config_address(int interface_number) { return page(2, interface_number) | 8; }
uint32_t ni_ring_address(int interface_number) { return page(2, interface_number) | 0x10; }

uint64_t NiMemory::read(uint64_t address) const {
  const auto it = words_.find(address);
  return it == words_.end() ? 0 : it->second;
}

void NiMemory::drive(VSmallNi& model) {
  model.m_awready_i = chance(free_);
  model.m_wready_i = chance(free_);
  model.m_bvalid_i = !held_ && !answers_.empty() && chance(free_);
  model.m_bresp_i = model.m_bvalid_i && answers_.front() ? 2 : 0;
}

void NiMemory::sample(const VSmallNi& model) {
  if (model.m_bvalid_i) answers_.pop_front();
  if (model.m_awvalid_o && model.m_awready_i)
    addresses_.push_back({model.m_awaddr_o, model.m_awlen_o + 1, model.m_awuser_o});
  if (model.m_wvalid_o && model.m_wready_i) beats_.push_back({get(model.m_wdata_o), model.m_wlast_o != 0});
  take_bursts();
}

void NiMemory::take_bursts() {
  while (!addresses_.empty() && beats_.size() >= static_cast<size_t>(addresses_.front().words)) {
    const Burst burst = addresses_.front();
    addresses_.pop_front();
    EXPECT_EQ(burst.address % 16, 0u);
    EXPECT_EQ(burst.address / 64, (burst.address + 16 * static_cast<uint64_t>(burst.words) - 1) / 64);
    const bool refused = fault(burst);
    for (int i = 0; i < burst.words; ++i) {
      const Beat beat = beats_.front();
      beats_.pop_front();
      EXPECT_EQ(beat.last, i + 1 == burst.words) << "address and words disagree";
      const uint64_t at = burst.address + 16 * static_cast<uint64_t>(i);
      if (refused) continue;
      words_[at] = beat.word.lo;
      words_[at + 8] = beat.word.hi;
    }
    answers_.push_back(refused);
    on_write(burst);
  }
}

NiDevice::NiDevice(uint32_t node, uint64_t seed, int credits)
    : context_(std::make_unique<RandomStateContext>()),
      model_(std::make_unique<VSmallNi>(context_.get())),
      random_(seed),
      memory_(seed + 100),
      node_(node) {
  zero_inputs(*model_);
  model_->node_i = node;
  model_->tile_bits_i = kNiTileBits;
  model_->x_bits_i = kNiXBits;
  model_->y_bits_i = kNiYBits;
  model_->initial_credits_i = static_cast<uint8_t>(credits);
  reset();
}

void NiDevice::reset() {
  model_->rst_ni = 0;
  const WithoutAssertions reset(*context_);
  for (int k = 0; k < 2; ++k) cycle({});
  model_->rst_ni = 1;
  now_ = 0;
}

void NiDevice::start_twin(uint32_t time) {
  twin_ = std::make_unique<NiTwin>();
  time_ = time;
  reset();
}

int64_t NiDevice::skipped() const { return twin_ ? twin_->skipped() : 0; }

NiDevice::~NiDevice() = default;

void NiDevice::write(uint32_t address, uint64_t data, Done done, int strobe) {
  accesses_.push_back({true, address, data, strobe, std::move(done)});
}
void NiDevice::read(uint32_t address, Done done) { accesses_.push_back({false, address, 0, 0, std::move(done)}); }

void NiDevice::drive_axi() {
  const Access* access = accesses_.empty() || model_->rst_ni == 0 ? nullptr : &accesses_.front();
  const auto offer = [this](uint8_t& valid, bool wanted) {
    // What has been offered stays until it is taken.
    if (!wanted) valid = 0;
    if (wanted && valid == 0) valid = chance(axi_free_);
  };
  offer(model_->axi_awvalid_i, access && access->write && !address_sent_);
  offer(model_->axi_wvalid_i, access && access->write && !data_sent_);
  offer(model_->axi_arvalid_i, access && !access->write && !address_sent_);
  if (access) {
    model_->axi_awaddr_i = access->address;
    model_->axi_araddr_i = access->address;
    model_->axi_wdata_i = access->data;
    model_->axi_wstrb_i = static_cast<uint8_t>(access->strobe);
  }
  model_->axi_bready_i = chance(axi_free_);
  model_->axi_rready_i = chance(axi_free_);
}

void NiDevice::sample_axi() {
  if (model_->axi_awvalid_i && model_->axi_awready_o) address_sent_ = true;
  if (model_->axi_arvalid_i && model_->axi_arready_o) address_sent_ = true;
  if (model_->axi_wvalid_i && model_->axi_wready_o) {
    data_sent_ = true;
    last_write_cycle_ = now_;
  }
  const bool b = model_->axi_bvalid_o && model_->axi_bready_i;
  const bool r = model_->axi_rvalid_o && model_->axi_rready_i;
  if (!b && !r) return;
  address_sent_ = false;
  data_sent_ = false;
  const Access access = std::move(accesses_.front());
  accesses_.pop_front();
  if (access.done) access.done(model_->axi_rdata_o, (b ? model_->axi_bresp_o : model_->axi_rresp_o) != 0);
}

NiOutputs NiDevice::cycle(const NiInputs& inputs) {
  drive_axi();
  model_->rx_valid_i = inputs.rx.has_value();
  if (inputs.rx) {
    model_->rx_vc_i = inputs.rx->vc == 1;
    model_->rx_sop_i = inputs.rx->sop;
    model_->rx_eop_i = inputs.rx->eop;
    put(model_->rx_data_i, inputs.rx->word);
  }
  model_->credit_valid_i = inputs.credit.has_value();
  if (inputs.credit) {
    model_->credit_vc_i = inputs.credit->first == 1;
    model_->credit_count_i = static_cast<uint8_t>(inputs.credit->second);
  }
  model_->rdma_tx_valid_i = static_cast<uint8_t>(inputs.rdma[0].has_value() | inputs.rdma[1].has_value() << 1);
  for (size_t vc = 0; vc < 2; ++vc) {
    if (inputs.rdma[vc]) put(&model_->rdma_tx_data_i[4 * vc], inputs.rdma[vc]->word);
  }
  model_->tx_ready_i = inputs.tx_ready;
  model_->rdma_rx_ready_i = inputs.rdma_ready;
  model_->time_i = time_;
  memory_.drive(*model_);
  model_->clk_i = 0;
  model_->eval();
  NiOutputs outputs;
  if (model_->tx_valid_o && inputs.tx_ready) {
    outputs.tx = NiLinkWord{get(model_->tx_data_o), model_->tx_vc_o, model_->tx_sop_o != 0, model_->tx_eop_o != 0};
  }
  if (model_->credit_valid_o) outputs.credit = {model_->credit_vc_o, model_->credit_count_o};
  if (model_->rdma_rx_valid_o && inputs.rdma_ready) {
    outputs.rdma = NiLinkWord{get(model_->rdma_rx_data_o), 0, model_->rdma_rx_sop_o != 0, model_->rdma_rx_eop_o != 0};
  }
  if (model_->event_valid_o) outputs.event = model_->event_interface_o;
  outputs.interrupt = model_->irq_o != 0;
  for (size_t vc = 0; vc < 2; ++vc) outputs.rdma_taken[vc] = inputs.rdma[vc] && (model_->rdma_tx_ready_o >> vc & 1);
  outputs.credit_stall = model_->credit_stall_o;
  // In the first edges of a reset, outputs are what registers began with.
  if (model_->rst_ni != 0) {
    sample_axi();
    memory_.sample(*model_);
  }
  if (twin_) twin_->edge(*model_);
  if (model_->rst_ni) ++time_;
  model_->clk_i = 1;
  model_->eval();
  ++now_;
  return outputs;
}

}  // namespace fabrictwin::test
