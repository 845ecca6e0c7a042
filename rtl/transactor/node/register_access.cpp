// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/register_access.h"

#include "fmt/format.h"

namespace fabrictwin::rtl::node {
namespace {

constexpr uint32_t kDecodeError = 3;
/// Number of address bits of the regions.
constexpr std::array<int, 3> kAddressBits{20, 17, 12};
constexpr std::array<const char*, 3> kRegionNames{"messages", "RDMA", "controller"};

/// `value` shifted up (or down, if negative) by `bytes` bytes.
link::Word moved(const link::Word& value, int bytes) {
  const auto* low = reinterpret_cast<const uint8_t*>(&value);
  link::Word result;
  auto* to = reinterpret_cast<uint8_t*>(&result);
  for (int i = 0; i < link::kWordBytes; ++i) {
    if (i + bytes >= 0 && i + bytes < link::kWordBytes) to[i + bytes] = low[i];
  }
  return result;
}

link::Word lowest_bytes(const link::Word& value, uint32_t bytes) {
  return moved(moved(value, link::kWordBytes - static_cast<int>(bytes)), static_cast<int>(bytes) - link::kWordBytes);
}

}  // namespace

bool RegisterAccess::possible() const {
  return bus().awvalid.data != nullptr && current_->bytes <= bus().wdata.bytes &&
         current_->address >> kAddressBits[static_cast<size_t>(current_->region)] == 0;
}

void RegisterAccess::drive(int64_t cycle) {
  if (!current_.has_value() && used_ != nullptr) {
    for (const Pin& pin : {used_->awvalid, used_->wvalid, used_->bready, used_->arvalid, used_->rready}) pin.put(0);
    used_ = nullptr;
  }
  if (!current_.has_value()) {
    if (waiting_.empty() || waiting_.front().cycle > cycle) return;
    current_ = waiting_.front().access;
    waiting_.pop_front();
    impossible_ = !possible();
    if (impossible_) return;
    used_ = &bus();
    const int offset = static_cast<int>(current_->address % bus().wdata.bytes);
    address_taken_ = false;
    data_taken_ = !is_write();
    if (is_write()) {
      bus().awaddr.put(current_->address);
      bus().wdata.put(moved(lowest_bytes(current_->data[0], current_->bytes), offset));
      bus().wstrb.put(((uint64_t{1} << current_->bytes) - 1) << offset);
    } else {
      bus().araddr.put(current_->address);
    }
  }
  if (impossible_) return;
  if (is_write()) {
    bus().awvalid.put(static_cast<uint64_t>(!address_taken_));
    bus().wvalid.put(static_cast<uint64_t>(!data_taken_));
    bus().bready.put(1);
  } else {
    bus().arvalid.put(static_cast<uint64_t>(!address_taken_));
    bus().rready.put(1);
  }
}

std::optional<link::HostMessage> RegisterAccess::sample() {
  if (!current_.has_value()) return std::nullopt;
  link::HostMessage answer;
  if (impossible_) {
    answer = is_write() ? link::HostMessage::register_written(current_->tag, kDecodeError)
                        : link::HostMessage::register_data(current_->tag, kDecodeError, {});
    current_.reset();
    return answer;
  }
  if (is_write()) {
    if (bus().awvalid.high() && bus().awready.high()) address_taken_ = true;
    if (bus().wvalid.high() && bus().wready.high()) data_taken_ = true;
    if (!bus().bvalid.high()) return std::nullopt;
    answer = link::HostMessage::register_written(current_->tag, static_cast<uint32_t>(bus().bresp.bits()));
  } else {
    if (bus().arvalid.high() && bus().arready.high()) address_taken_ = true;
    if (!bus().rvalid.high()) return std::nullopt;
    const int offset = static_cast<int>(current_->address % bus().rdata.bytes);
    const uint32_t response = bus().rresp.data == nullptr ? 0 : static_cast<uint32_t>(bus().rresp.bits());
    answer = link::HostMessage::register_data(current_->tag, response,
                                              lowest_bytes(moved(bus().rdata.get(), -offset), current_->bytes));
  }
  current_.reset();
  return answer;
}

std::string RegisterAccess::describe() const {
  return fmt::format("a {} of {} bytes at {} {:#x}", is_write() ? "write" : "read", current_->bytes,
                     kRegionNames[static_cast<size_t>(current_->region)], current_->address);
}

}  // namespace fabrictwin::rtl::node
