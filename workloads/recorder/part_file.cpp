// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/part_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fabrictwin::recorder {
namespace {

// Large enough that moving the window costs nothing per event, small enough for many ranks on a node.
constexpr uint64_t kWindowBytes = 1u << 20;
constexpr uint64_t kPage = kPartEvents;

void* map_space(int fd, uint64_t offset, uint64_t bytes) {
  const int failed = posix_fallocate(fd, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  if (failed != 0) {
    errno = failed;
    return nullptr;
  }
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

bool PartFile::open(const char* path) {
  fd_ = ::open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) return false;
  void* const page = map_space(fd_, 0, kPartEvents);
  if (page == nullptr) return false;
  header_ = static_cast<PartHeader*>(page);
  std::memcpy(header_->magic, kPartMagic, sizeof kPartMagic);
  return reserve(1) != nullptr;
}

uint8_t* PartFile::move_window(size_t bytes) {
  const uint64_t position = kPartEvents + header_->bytes;
  const uint64_t offset = position / kPage * kPage;
  const uint64_t size = std::max(kWindowBytes, (position - offset + bytes + kPage - 1) / kPage * kPage);
  void* const memory = map_space(fd_, offset, size);
  if (memory == nullptr) return nullptr;
  if (window_ != nullptr) munmap(window_, static_cast<size_t>(window_end_ - window_));
  window_ = static_cast<uint8_t*>(memory);
  window_end_ = window_ + size;
  cursor_ = window_ + (position - offset);
  return cursor_;
}

void PartFile::trim() {
  if (window_ != nullptr) munmap(window_, static_cast<size_t>(window_end_ - window_));
  window_ = window_end_ = cursor_ = nullptr;
  // If this fails, the file is longer than its header says, which the reader accepts.
  [[maybe_unused]] const int failed = ftruncate(fd_, static_cast<off_t>(kPartEvents + header_->bytes));
}

}  // namespace fabrictwin::recorder
