// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/frame.h"

#include <zstd.h>

#include <memory>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace fabrictwin::trace::format {
namespace {

// Blocks are small, written once and read often: level 12 takes a few seconds for the largest traces and is within a
// few percent of the best.
constexpr int kCompressionLevel = 12;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

std::string compress_frame(std::string_view plain) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  // This cannot fail: the output has the size that zstd requires.
  frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), plain.data(), plain.size()));
  return frame;
}

absl::StatusOr<std::string> decompress_frame(std::string_view frame, uint64_t plain_bytes, uint64_t limit) {
  if (plain_bytes > limit) {
    return absl::DataLossError(fmt::format("claims {} bytes, more than the limit of {}", plain_bytes, limit));
  }
  // The size in the frame itself is checked before anything is allocated.
  const unsigned long long claimed = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (claimed == ZSTD_CONTENTSIZE_ERROR || claimed == ZSTD_CONTENTSIZE_UNKNOWN) {
    return absl::DataLossError("is not a zstd frame of known size");
  }
  if (claimed != plain_bytes) {
    return absl::DataLossError(fmt::format("holds {} bytes where {} are announced", claimed, plain_bytes));
  }
  std::string plain(plain_bytes, '\0');
  const size_t size = ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size());
  if (ZSTD_isError(size))
    return absl::DataLossError(fmt::format("cannot be decompressed: {}", ZSTD_getErrorName(size)));
  if (size != plain_bytes)
    return absl::DataLossError(fmt::format("holds {} bytes where {} are announced", size, plain_bytes));
  return plain;
}

}  // namespace fabrictwin::trace::format
