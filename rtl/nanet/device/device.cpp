// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/nanet/device/device.h"

#include <algorithm>

#include "VNanet__inputs.h"
#include "rtl/nanet/nanet_registers.h"
#include "rtl/transactor/single_thread_context.h"

namespace fabrictwin::rtl::nanet {
namespace {

constexpr int64_t kCoreStep = 50;  // Tenths of nanoseconds.
constexpr int64_t kMacStep = 64;
constexpr int kBeatBits = 74;

/// The field of `bits` bits, at most 64, from bit `at` on.
template <size_t N>
uint64_t get(const VlWide<N>& wide, int at, int bits) {
  uint64_t value = 0;
  for (int i = 0; i < bits; ++i)
    value |= uint64_t{wide[static_cast<size_t>((at + i) / 32)] >> ((at + i) % 32) & 1u} << i;
  return value;
}

template <size_t N>
void put(VlWide<N>& wide, int at, int bits, uint64_t value) {
  for (int i = 0; i < bits;) {
    const int shift = (at + i) % 32;
    const int count = std::min(32 - shift, bits - i);
    const auto mask = static_cast<uint32_t>((uint64_t{1} << count) - 1);
    uint32_t& part = wide[static_cast<size_t>((at + i) / 32)];
    part = (part & ~(mask << shift)) | (static_cast<uint32_t>(value >> i) & mask) << shift;
    i += count;
  }
}

// Positions of fields of axi_pkg::address_t and axi_pkg::write_data_t.
constexpr int kAddressLow = 20;
constexpr int kLengthLow = 12;
constexpr int kLengthBits = 8;

uint64_t address_of(const VlWide<3>& pins) { return get(pins, kAddressLow, 64); }
int beats_of(const VlWide<3>& pins) { return static_cast<int>(get(pins, kLengthLow, kLengthBits)) + 1; }

}  // namespace

struct Device::Model {
  SingleThreadContext context;
  VNanet pins{&context};
};

Device::Device(const Options& options)
    : options_(options),
      model_(std::make_unique<Model>()),
      models_{MemoryModel(options.cpu), MemoryModel(options.gpu)},
      memories_(options.memories) {
  for (size_t m = 0; m < 2; ++m) {
    if (memories_.at(m) == nullptr) memories_.at(m) = &models_.at(m);
  }
  VNanet& pins = model_->pins;
  zero_inputs(pins);
  // Before the reset has come everywhere, registers may hold anything.
  model_->context.assertOn(false);
  pins.rst_ni = 0;
  pins.mac_rst_ni = 0;
  pins.bready_i = 1;
  pins.rready_i = 1;
  drive_mac_pins();
  drive_memory_pins();
  drive_register_pins();
  pins.eval();
  for (int i = 0; i < 20; ++i) step();
  pins.rst_ni = 1;
  first_core_ = next_core_;
  pins.mac_rst_ni = 1;
  model_->context.assertOn(true);
  pins.eval();
}

Device::~Device() { model_->pins.final(); }

bool Device::interrupt() const { return model_->pins.interrupt_o != 0; }

void Device::step() {
  VNanet& pins = model_->pins;
  now_ = std::min(next_core_, next_mac_);
  const bool core = next_core_ == now_;
  const bool mac = next_mac_ == now_;
  // What both sides have agreed on before the edge.
  if (mac) sample_mac();
  if (core) {
    sample_memories();
    sample_registers();
  }
  if (core) pins.clk_i = 1;
  if (mac) pins.mac_clk_i = 1;
  pins.eval();
  if (core) pins.clk_i = 0;
  if (mac) pins.mac_clk_i = 0;
  if (mac) {
    next_mac_ += kMacStep;
    drive_mac_pins();
  }
  if (core) {
    next_core_ += kCoreStep;
    for (MemoryPort* memory : memories_) memory->edge(now_ns(), kCycleNs);
    answer_misses();
    drive_memory_pins();
    drive_register_pins();
  }
  pins.eval();
}

void Device::run_ns(double ns) {
  const double end = now_ns() + ns;
  while (now_ns() < end) step();
}

void Device::align() {
  while (next_core_ != next_mac_) step();
}

void Device::drive_mac_pins() {
  VNanet& pins = model_->pins;
  for (int port = 0; port < kPorts; ++port) {
    MacModel& mac = macs_.at(static_cast<size_t>(port));
    const Beat* beat = mac.present();
    const auto bit = static_cast<uint8_t>(1u << port);
    pins.mac_valid_i = static_cast<uint8_t>((pins.mac_valid_i & ~bit) | (beat != nullptr ? bit : 0));
    pins.mac_ready_i = static_cast<uint8_t>((pins.mac_ready_i & ~bit) | (mac.ready() ? bit : 0));
    if (beat == nullptr) continue;
    put(pins.mac_beat_i, port * kBeatBits, 64, beat->data);
    put(pins.mac_beat_i, port * kBeatBits + 64, 10,
        beat->keep | uint64_t{beat->error} << 8 | uint64_t{beat->last} << 9);
  }
}

void Device::sample_mac() {
  const VNanet& pins = model_->pins;
  if (!pins.mac_rst_ni) return;
  for (int port = 0; port < kPorts; ++port) {
    MacModel& mac = macs_.at(static_cast<size_t>(port));
    if ((pins.mac_valid_o & pins.mac_ready_i) >> port & 1) {
      const uint64_t rest = get(pins.mac_beat_o, port * kBeatBits + 64, 10);
      const Beat beat{.data = get(pins.mac_beat_o, port * kBeatBits, 64),
                      .keep = static_cast<uint8_t>(rest),
                      .error = (rest >> 8 & 1) != 0,
                      .last = (rest >> 9 & 1) != 0};
      mac.edge(&beat);
    } else {
      mac.edge(nullptr);
    }
  }
}

void Device::drive_memory_pins() {
  VNanet& pins = model_->pins;
  pins.m_aw_ready_i = 3;
  pins.m_ar_ready_i = 3;
  uint8_t w_ready = 0, b_valid = 0, b_error = 0, r_valid = 0, r_error = 0;
  for (size_t m = 0; m < 2; ++m) {
    const MemoryPort& memory = *memories_.at(m);
    w_ready |= static_cast<uint8_t>(memory.w_ready() << m);
    b_valid |= static_cast<uint8_t>(memory.b_valid() << m);
    b_error |= static_cast<uint8_t>(memory.b_error() << m);
    r_valid |= static_cast<uint8_t>(memory.r_valid() << m);
    r_error |= static_cast<uint8_t>(memory.r_error() << m);
    if (!memory.r_valid()) continue;
    const Word data = memory.r_data();
    for (size_t i = 0; i < 4; ++i) pins.m_r_data_i[4 * m + i] = data.at(i);
  }
  pins.m_w_ready_i = w_ready;
  pins.m_b_valid_i = b_valid;
  pins.m_b_error_i = b_error;
  pins.m_r_valid_i = r_valid;
  pins.m_r_error_i = r_error;
}

void Device::sample_memories() {
  const VNanet& pins = model_->pins;
  if (!pins.rst_ni) return;
  for (size_t m = 0; m < 2; ++m) {
    MemoryPort& memory = *memories_.at(m);
    if (pins.m_aw_valid_o >> m & 1) memory.take_aw(address_of(pins.m_aw_o), beats_of(pins.m_aw_o));
    if ((pins.m_w_valid_o & pins.m_w_ready_i) >> m & 1) {
      const bool last = (pins.m_w_o[0] & 1) != 0;
      const auto strobe = static_cast<uint16_t>(get(pins.m_w_o, 1, 16));
      Word data;
      for (size_t i = 0; i < 4; ++i)
        data.at(i) = static_cast<uint32_t>(get(pins.m_w_o, 17 + 32 * static_cast<int>(i), 32));
      memory.take_w(data, strobe, last);
    }
    if (pins.m_b_valid_i >> m & 1) memory.take_b();
    if (pins.m_ar_valid_o >> m & 1) memory.take_ar(address_of(pins.m_ar_o), beats_of(pins.m_ar_o));
    if ((pins.m_r_valid_i & pins.m_r_ready_o) >> m & 1) memory.take_r();
  }
}

void Device::drive_register_pins() {
  VNanet& pins = model_->pins;
  const bool any = !accesses_.empty();
  const bool write = any && accesses_.front().write;
  pins.awvalid_i = write && !address_taken_;
  pins.wvalid_i = write && !data_taken_;
  pins.arvalid_i = any && !write && !address_taken_;
  if (!any) return;
  pins.awaddr_i = pins.araddr_i = static_cast<uint16_t>(accesses_.front().offset & 0xfff);
  pins.wdata_i = accesses_.front().value;
  pins.wstrb_i = 0xf;
}

void Device::sample_registers() {
  const VNanet& pins = model_->pins;
  if (!pins.rst_ni || accesses_.empty()) return;
  address_taken_ = address_taken_ || (pins.awvalid_i && pins.awready_o) || (pins.arvalid_i && pins.arready_o);
  data_taken_ = data_taken_ || (pins.wvalid_i && pins.wready_o);
  const bool write = accesses_.front().write;
  if (write ? !pins.bvalid_o : !pins.rvalid_o) return;
  const Access access = std::move(accesses_.front());
  accesses_.pop_front();
  address_taken_ = data_taken_ = false;
  if (access.done) access.done((write ? pins.bresp_o : pins.rresp_o) == 0, pins.rdata_o);
}

void Device::access(Access access) {
  bool done = false;
  const auto inner = std::move(access.done);
  access.done = [&done, inner](bool ok, uint32_t value) {
    inner(ok, value);
    done = true;
  };
  accesses_.push_back(std::move(access));
  drive_register_pins();
  model_->pins.eval();
  while (!done) step();
}

bool Device::write(uint32_t offset, uint32_t value) {
  bool result = false;
  access({.write = true, .offset = offset, .value = value, .done = [&result](bool ok, uint32_t) { result = ok; }});
  return result;
}

std::optional<uint32_t> Device::read(uint32_t offset) {
  std::optional<uint32_t> result;
  access({.offset = offset, .done = [&result](bool ok, uint32_t value) {
            if (ok) result = value;
          }});
  return result;
}

void Device::start_write(uint32_t offset, uint32_t value, Done done) {
  accesses_.push_back({.write = true, .offset = offset, .value = value, .done = std::move(done)});
}

void Device::start_read(uint32_t offset, Done done) {
  accesses_.push_back({.offset = offset, .done = std::move(done)});
}

uint32_t Device::counter(int port, int result) {
  write(registers::kCounterSelectOffset, static_cast<uint32_t>(result | port << registers::kCounterSelectPortLow));
  return read(registers::kCounterOffset).value_or(0);
}

void Device::answer_misses() {
  // The interrupt tells of misses, too; the host looks after a while.
  if (ignores_misses_ || serving_miss_ || !model_->pins.rst_ni || !interrupt()) {
    miss_since_ns_ = -1;
    return;
  }
  if (miss_since_ns_ < 0) miss_since_ns_ = now_ns();
  if (now_ns() < miss_since_ns_ + options_.miss_ns) return;
  miss_since_ns_ = -1;
  serving_miss_ = true;
  accesses_.push_back({.offset = registers::kMissOffset, .done = [this](bool, uint32_t waiting) {
                         if ((waiting & 1) == 0) {
                           serving_miss_ = false;
                           return;
                         }
                         accesses_.push_back({.offset = registers::kMissLowOffset, .done = [this](bool, uint32_t low) {
                                                accesses_.push_back(
                                                    {.offset = registers::kMissHighOffset,
                                                     .done = [this, low](bool, uint32_t high) { look_up(low, high); }});
                                              }});
                       }});
}

void Device::look_up(uint32_t low, uint32_t high) {
  const auto page = pages_.find((uint64_t{high} << 32 | low) / kPageBytes);
  const Page found = page == pages_.end() ? Page{} : page->second;
  const uint32_t answer = (low & 0xffff0000) | uint32_t{page != pages_.end()} << registers::kRefillKnownLow |
                          uint32_t{found.gpu} << registers::kRefillGpuLow;
  accesses_.push_back(
      {.write = true, .offset = registers::kPhysicalLowOffset, .value = static_cast<uint32_t>(found.physical)});
  accesses_.push_back(
      {.write = true, .offset = registers::kPhysicalHighOffset, .value = static_cast<uint32_t>(found.physical >> 32)});
  accesses_.push_back(
      {.write = true, .offset = registers::kRefillOffset, .value = answer, .done = [this](bool, uint32_t) {
         serving_miss_ = false;
       }});
}

}  // namespace fabrictwin::rtl::nanet
