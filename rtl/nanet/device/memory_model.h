// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memories of CPU and GPU behind a NaNet-10: as many bytes a second as a PCIe port lets through, with a latency.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "rtl/nanet/beat.h"
#include "rtl/nanet/memory_port.h"

namespace fabrictwin::rtl::nanet {

/// A memory of 2^64 bytes, zeros at first, behind the write and read channels of AXI4. Used by one thread.
class MemoryModel : public MemoryPort {
 public:
  struct Timing {
    double write_gbps = 2.8;  ///< GB/s.
    double read_gbps = 3.0;   ///< GB/s.
    double write_ns = 100;    ///< From the last word of a burst to its acknowledgement.
    double read_ns = 500;     ///< From the address to the first word.
  };
  explicit MemoryModel(const Timing& timing) : timing_(timing) {}

  /// Bytes as the CPU or GPU sees them.
  Bytes read(uint64_t address, size_t bytes) const;
  void write(uint64_t address, const Bytes& bytes);
  /// The following bursts get an error for an answer.
  void fail(bool fails) { fails_ = fails; }
  /// When the last word was written, in nanoseconds.
  double last_write_ns() const { return last_write_ns_; }
  uint64_t bytes_written() const { return bytes_written_; }
  /// In whole words.
  uint64_t bytes_read() const { return bytes_read_; }

  bool w_ready() const override { return write_credit_ >= kWordBytes; }
  bool b_valid() const override { return !acknowledgements_.empty() && acknowledgements_.front().due_ns <= now_ns_; }
  bool b_error() const override { return b_valid() && acknowledgements_.front().error; }
  bool r_valid() const override {
    return !reads_.empty() && reads_.front().due_ns <= now_ns_ && read_credit_ >= kWordBytes;
  }
  Word r_data() const override;
  bool r_error() const override { return !reads_.empty() && reads_.front().error; }
  void take_aw(uint64_t address, int beats) override;
  void take_w(const Word& data, uint16_t strobe, bool last) override;
  void take_b() override { acknowledgements_.pop_front(); }
  void take_ar(uint64_t address, int beats) override;
  void take_r() override;
  void edge(double now_ns, double period_ns) override;

 private:
  static constexpr double kWordBytes = 16;
  struct Acknowledgement {
    double due_ns = 0;
    bool error = false;
  };
  struct Read {
    uint64_t address = 0;
    int beats = 0;
    double due_ns = 0;
    bool error = false;
  };
  void finish_beats();

  Timing timing_;
  std::unordered_map<uint64_t, Word> words_;  ///< By address / 16.
  std::deque<uint64_t> write_addresses_;
  struct Beat128 {
    Word data{};
    uint16_t strobe = 0;
    bool last = false;
  };
  std::deque<Beat128> beats_;  ///< That came before their address.
  std::deque<Acknowledgement> acknowledgements_;
  std::deque<Read> reads_;
  double write_credit_ = 0, read_credit_ = 0, now_ns_ = 0, last_write_ns_ = 0;
  uint64_t bytes_written_ = 0, bytes_read_ = 0;
  bool fails_ = false;
};

}  // namespace fabrictwin::rtl::nanet
