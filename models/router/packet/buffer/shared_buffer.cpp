// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer/shared_buffer.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::router::packet::buffer {
namespace {

int64_t bytes_in(const SharedBuffer::Link& link, int64_t trips) {
  return static_cast<int64_t>(static_cast<__int128>(link.rate) * link.latency * trips / 8'000'000'000'000'000);
}

}  // namespace

SharedBuffer::SharedBuffer(const SharedBufferSpec& spec, const std::vector<Link>& links, int64_t base_rate,
                           int32_t max_packet)
    : reserve_(spec.reserve), resume_offset_(spec.resume_offset), shared_(spec.buffer) {
  for (const Link& link : links) {
    Input input;
    input.headroom = spec.headroom != 0 ? spec.headroom : std::max(bytes_in(link, 3), least_headroom(link, max_packet));
    const double factor = static_cast<double>(link.rate) / static_cast<double>(base_rate);
    input.share = std::min(spec.share * std::max(factor, 1.0), 1.0);
    shared_ -= input.headroom + reserve_;
    inputs_.push_back(input);
  }
}

// Until a pause takes effect, the link has a round trip in flight, and the sender ends the packet that it has begun.
// The packet that leads to the pause, and another one that ends meanwhile, may be stored in the headroom, too.
int64_t SharedBuffer::least_headroom(const Link& link, int32_t max_packet) {
  return bytes_in(link, 2) + 3 * int64_t{max_packet} + kPauseFrame;
}

SharedBuffer::Signal SharedBuffer::add(size_t number, int64_t bytes) {
  Input& input = inputs_[number];
  const int64_t own = input.own + bytes;
  if (static_cast<double>(own - reserve_) > threshold(input)) {
    input.over += bytes;
    overflown_ = input.over > input.headroom;
  } else {
    used_ += std::max<int64_t>(std::min(bytes, own - reserve_), 0);
    input.own = own;
  }
  if (input.pausing) return Signal::kNone;
  input.pausing = input.over > 0 || static_cast<double>(shared_by(input)) >= threshold(input);
  return input.pausing ? Signal::kPause : Signal::kNone;
}

SharedBuffer::Signal SharedBuffer::remove(size_t number, int64_t bytes) {
  Input& input = inputs_[number];
  const int64_t of_headroom = std::min(input.over, bytes);
  const int64_t of_own = bytes - of_headroom;
  used_ -= std::min(of_own, shared_by(input));
  input.over -= of_headroom;
  input.own -= of_own;
  if (!input.pausing || input.over > 0) return Signal::kNone;
  const int64_t shared = shared_by(input);
  input.pausing = shared > 0 && static_cast<double>(shared + resume_offset_) > threshold(input);
  return input.pausing ? Signal::kNone : Signal::kResume;
}

std::optional<SharedBufferFlaw> find_flaw(const SharedBuffer& memory, const std::vector<SharedBuffer::Link>& inputs,
                                          int32_t max_packet, std::string_view name) {
  for (size_t input = 0; input < inputs.size(); ++input) {
    const int64_t least = SharedBuffer::least_headroom(inputs[input], max_packet);
    if (memory.headroom(input) >= least) continue;
    return SharedBufferFlaw{
        true, fmt::format("pfc: {} bytes of headroom are too few for port {} of {}, where up to {} bytes can arrive "
                          "after it has paused its sender; write a larger headroom, or leave it out",
                          memory.headroom(input), input, name, least)};
  }
  if (memory.shared() > 0) return std::nullopt;
  return SharedBufferFlaw{
      false, fmt::format("pfc: reserve and headroom of the {} ports of {} are {} bytes more than its buffer has; write "
                         "a larger buffer, or less for each port",
                         inputs.size(), name, -memory.shared())};
}

}  // namespace fabrictwin::router::packet::buffer
