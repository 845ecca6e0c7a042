// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/sender.h"

#include <algorithm>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/nanet/classify.h"

namespace fabrictwin::nanet {
namespace {

constexpr int64_t kWordBytes = 8;

}  // namespace

uint64_t stream_key(uint64_t seed, int32_t stream) { return mix64(mix64(seed) ^ static_cast<uint64_t>(stream)); }

Time time_of_frames(const StreamSpec& stream, int64_t frames) {
  const auto bits = static_cast<__int128>(line_bytes(stream.bytes + kUdpHeaders)) * 8 * frames;
  return Time::from_fs(static_cast<int64_t>(bits * 1'000'000'000'000'000 / stream.rate.bits_per_second));
}

absl::StatusOr<std::unique_ptr<Sender>> Sender::create(int32_t port, const DatagramsSpec& spec, uint64_t seed,
                                                       Port& line, Results& results, observe::EndpointDigest* digest) {
  std::unique_ptr<Sender> sender(new Sender(port, spec, seed, line, results, digest));
  for (size_t i = 0; i < spec.streams.size(); ++i) {
    const StreamSpec& stream = spec.streams[i];
    if (stream.port != port || !stream.received() || !stream.generated()) continue;
    sender->sources_.push_back({.stream = &stream, .number = i, .start = stream.start, .count = stream.count});
  }
  for (const CaptureSpec& capture : spec.captures) {
    if (capture.port != port) continue;
    auto frames = bridges::ethernet::read_pcap(capture.file);
    if (!frames.ok()) return frames.status();
    std::erase_if(*frames, [](const auto& frame) { return frame.bytes.empty(); });
    for (size_t i = 0; i < frames->size(); ++i) {
      const int64_t ns = (*frames)[i].time_ns - frames->front().time_ns;
      if (ns <= kMostSending.fs() / 1'000'000) continue;
      return absl::InvalidArgumentError(
          fmt::format("{}: frame {} comes {:.0f} s after the first, and {} is the most; "
                      "cut the capture into parts",
                      capture.file, i + 1, static_cast<double>(ns) / 1e9, to_string(kMostSending)));
    }
    const auto count = static_cast<int64_t>(frames->size());
    sender->sources_.push_back({.frames = *std::move(frames), .start = capture.start, .count = count});
  }
  for (const Source& source : sender->sources_) results.frames_to_send += static_cast<uint64_t>(source.count);
  sender->choose();
  if (!sender->next_is_none()) ++results.sending;
  return sender;
}

Time Sender::due(const Source& source) const {
  if (source.sent == source.count) return Time::never();
  if (source.stream != nullptr) return source.start + time_of_frames(*source.stream, source.sent);
  const auto index = static_cast<size_t>(source.sent);
  const int64_t ns = std::max<int64_t>(0, source.frames[index].time_ns - source.frames.front().time_ns);
  return source.start + Time::from_fs(ns * 1'000'000);
}

// Where frames have one time, that of the first source goes first.
void Sender::choose() {
  due_ = Time::never();
  next_ = sources_.size();
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Time time = due(sources_[i]);
    if (time >= due_) continue;
    due_ = time;
    next_ = i;
  }
}

absl::Status Sender::act(Time now) {
  for (; !arrived_.empty() && arrived_.front().time <= now; arrived_.pop_front()) take_frame(arrived_.front());
  while (!next_is_none() && due_ <= now) {
    send_next();
    choose();
    if (next_is_none()) --results_.sending;
  }
  return absl::OkStatus();
}

void Sender::send_next() {
  Source& source = sources_[next_];
  if (source.stream != nullptr) {
    const Bytes payload = generated_payload(stream_key(seed_, static_cast<int32_t>(source.number)),
                                            static_cast<uint64_t>(source.sent), source.stream->bytes);
    Results::Stream& result = results_.streams[source.number];
    result.sent.push_back(transmit(udp_frame(port_, source.stream->udp_port, payload), due_));
    result.bytes_sent += payload.size();
  } else {
    // Captures have frames without what the sender's MAC fills them up with.
    Bytes frame = source.frames[static_cast<size_t>(source.sent)].bytes;
    frame.resize(std::max<size_t>(frame.size(), kLeastFrame));
    transmit(frame, due_);
  }
  results_.frames.add(1);
  ++source.sent;
}

Time Sender::transmit(const Bytes& frame, Time time) {
  // In bytes, so that frames whose line time is no whole number of words go at line rate.
  const int64_t begin = std::max(free_bytes_, line_.word_clock().edge_at_or_after(time) * kWordBytes);
  const int64_t first = std::max(free_slot_, (begin + kWordBytes - 1) / kWordBytes);
  int64_t slot = first;
  for (size_t at = 0; at < frame.size(); at += kWordBytes) {
    const rtl::nanet::Beat beat = rtl::nanet::word_of(frame, at);
    line_.send_word(slot++, at == 0 ? link::kStartOfPacket : 0, {.lo = beat.data});
    if (beat.last) line_.send_word(slot++, link::kEndOfPacket, rtl::nanet::element::footer_of(beat));
  }
  free_bytes_ = begin + line_bytes(static_cast<int64_t>(frame.size()));
  free_slot_ = slot;
  results_.last_sent = std::max(results_.last_sent, line_.word_clock().edge(slot));
  ++results_.ports[static_cast<size_t>(port_)].frames_sent;
  return line_.word_clock().edge(first);
}

absl::Status Sender::receive(int32_t /*port*/, const link::Record& record) {
  if (record.kind != link::RecordKind::kBurst) return absl::DataLossError("a record that is no word of a frame");
  const int64_t first = line_.first_slot(record);
  for (int i = 0; i < record.count; ++i) {
    uint8_t flags = i == 0 ? record.flags & link::kStartOfPacket : 0;
    if (i + 1 == record.count) flags |= record.flags & link::kEndOfPacket;
    std::optional<rtl::nanet::Beat> beat;
    if (absl::Status status = reader_.take(record.words.at(static_cast<size_t>(i)), flags, beat); !status.ok())
      return status;
    if (!beat) continue;
    // A frame that is too long for any is cut, which leaves it too long.
    if (frame_.size() < 2 * kMostFrame) rtl::nanet::take_word(frame_, *beat);
    if (!beat->last) continue;
    ++results_.ports[static_cast<size_t>(port_)].frames_received;
    // A burst may reach into the time after this one.
    arrived_.push_back({line_.arrival(first + i), std::exchange(frame_, {}), beat->error});
  }
  return absl::OkStatus();
}

void Sender::take_frame(const Arrived& arrived) {
  const Classified found = classify(arrived.frame, arrived.damaged, {.mac = sender_mac(port_), .ip = sender_ip(port_)});
  if (found.result == rtl::nanet::Result::kArp && asks_for(arrived.frame, sender_ip(port_)))
    transmit(arp_answer(arrived.frame, sender_mac(port_), sender_ip(port_)), arrived.time);
  if (found.result != rtl::nanet::Result::kUdp) return;
  for (size_t i = 0; i < spec_.streams.size(); ++i) {
    const StreamSpec& stream = spec_.streams[i];
    if (!stream.received() && stream.port == port_ && stream.udp_port == found.udp_port)
      take_datagram(i, found.payload, arrived.time);
  }
}

void Sender::take_datagram(size_t number, std::span<const uint8_t> payload, Time time) {
  Results::Stream& result = results_.streams[number];
  result.arrive(time, 1, payload.size());
  results_.last_received = std::max(results_.last_received, time);
  const uint64_t hash = observe::hash_bytes(std::as_bytes(payload), number);
  digest_->add_arrival(time, hash);
  digest_->add_message(hash);
  const uint64_t sequence = payload.size() < kLeastPayload ? ~uint64_t{0} : sequence_of(payload);
  const uint64_t key = stream_key(seed_, static_cast<int32_t>(number));
  if (sequence >= result.sent.size() ||
      !std::ranges::equal(payload, generated_payload(key, sequence, spec_.streams[number].bytes))) {
    ++result.damaged;
    return;
  }
  result.event.add(time - result.sent[sequence]);
}

}  // namespace fabrictwin::nanet
