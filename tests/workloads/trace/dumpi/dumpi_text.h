// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls in the text form of dumpi2ascii.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fabrictwin {

/// The text of one rank. Each call takes 100 ns, and begins when the one before it returns, or `gap` later.
class DumpiText {
 public:
  explicit DumpiText(uint64_t start_ns = 8'153'049'300'000) : now_(start_ns) {
    call("MPI_Init", "int argc=1\nstring argv[1]=[\"app\"]\n");
  }

  /// `arguments` are whole lines.
  DumpiText& call(std::string_view name, std::string_view arguments = "", uint64_t gap = 0) {
    now_ += gap;
    text_ += fmt::format("{} entering at {} in thread 0.\n{}", name, stamp(), arguments);
    now_ += 100;
    text_ += fmt::format("{} returning at {} in thread 0.\n", name, stamp());
    return *this;
  }
  /// "count", "datatype", "dest" or "source", "tag", "comm".
  static std::string message(uint64_t count, std::string_view type, std::string_view end, int peer, int tag,
                             std::string_view comm = "2 (MPI_COMM_WORLD)") {
    return fmt::format("int count={}\nMPI_Datatype datatype={}\nint {}={}\nint tag={}\nMPI_Comm comm={}\n", count, type,
                       end, peer, tag, comm);
  }
  std::string finish() { return call("MPI_Finalize").text_; }
  const std::string& text() const { return text_; }

 private:
  std::string stamp() const {
    return fmt::format("walltime {}.{:09}, cputime 0.004400000 seconds", now_ / 1'000'000'000, now_ % 1'000'000'000);
  }

  uint64_t now_;
  std::string text_;
};

}  // namespace fabrictwin
