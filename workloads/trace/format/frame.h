// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The constants of the .fttrace file and its compressed frames; docs/trace-file.md describes the format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace fabrictwin::trace::format {

/// The first and the last eight bytes of a file.
inline constexpr std::string_view kTraceMagic = "FTTRACE\n";
inline constexpr std::string_view kTraceEndMagic = "FTTREND\n";
/// Size of the end of a file: offset of the index chunk (8 bytes, little-endian), then kTraceEndMagic.
inline constexpr uint64_t kTraceTrailerBytes = 16;
inline constexpr uint32_t kTraceVersion = 1;

/// Limits that keep the memory of a reader bounded whatever a file claims.
inline constexpr uint32_t kMaxHeaderBytes = 64u << 10;
inline constexpr uint32_t kMaxColumnsBytes = 16u << 20;
inline constexpr uint32_t kMaxBlockEvents = 1u << 16;
inline constexpr uint32_t kMaxIndexBytes = 64u << 20;
inline constexpr uint32_t kMaxRankIndexBytes = 4u << 20;

/// Compressed sizes with their envelope; data that does not compress becomes a little larger.
inline constexpr uint32_t kMaxBlockBytes = kMaxColumnsBytes + (1u << 20);
inline constexpr uint32_t kMaxIndexChunkBytes = kMaxIndexBytes + (1u << 20);

/// Compresses `plain` into one zstd frame with its size and a checksum.
std::string compress_frame(std::string_view plain);

/// Decompresses a frame that must hold exactly `plain_bytes` bytes, which must not exceed `limit`. DataLoss with the
/// reason (no file name) if it does not.
absl::StatusOr<std::string> decompress_frame(std::string_view frame, uint64_t plain_bytes, uint64_t limit);

}  // namespace fabrictwin::trace::format
