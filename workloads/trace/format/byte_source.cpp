// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/format/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::trace::format {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, uint64_t size, std::string name)
      : descriptor_(descriptor), size_(size), name_(std::move(name)) {}
  ~FileSource() override { ::close(descriptor_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }

  absl::StatusOr<std::string> read(uint64_t offset, uint64_t count) const override {
    if (offset > size_ || count > size_ - offset)
      return absl::OutOfRangeError(fmt::format("{}: the file ends too early", name_));
    std::string bytes(count, '\0');
    uint64_t done = 0;
    while (done < count) {
      const ssize_t got = ::pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return absl::UnavailableError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
      // The file has become shorter since it was opened.
      if (got == 0) return absl::OutOfRangeError(fmt::format("{}: the file ends too early", name_));
      done += static_cast<uint64_t>(got);
    }
    return bytes;
  }

 private:
  int descriptor_;
  uint64_t size_;
  std::string name_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return bytes_.size(); }
  absl::StatusOr<std::string> read(uint64_t offset, uint64_t count) const override {
    if (offset > bytes_.size() || count > bytes_.size() - offset) {
      return absl::OutOfRangeError(fmt::format("{}: the file ends too early", name_));
    }
    return bytes_.substr(offset, count);
  }

 private:
  std::string bytes_;
  std::string name_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSource>> open_file_source(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    const std::string message = fmt::format("{}: cannot be opened: {}", path, std::strerror(errno));
    return errno == ENOENT ? absl::NotFoundError(message) : absl::FailedPreconditionError(message);
  }
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(descriptor);
    return absl::FailedPreconditionError(fmt::format("{}: is not a file", path));
  }
  return std::make_unique<FileSource>(descriptor, static_cast<uint64_t>(facts.st_size), path);
}

std::unique_ptr<ByteSource> make_memory_source(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

}  // namespace fabrictwin::trace::format
