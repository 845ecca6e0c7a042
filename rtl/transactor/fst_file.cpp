// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Verilator's writer of FST files with its calls of the C library replaced. It ignores their results, and it writes to
// mappings of temporary files: on a full disk the first such write ended the process by SIGBUS.
#include "rtl/transactor/fst_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <sstream>

#include "verilated.h"
#include "verilated_fst_c.h"

namespace fabrictwin::rtl {
namespace {

thread_local int fst_error = 0;

void note(int error) {
  if (fst_error == 0) fst_error = error != 0 ? error : EIO;
}

/// A temporary file in memory, which no disk limits.
std::FILE* fst_tmpfile() {
  const int memory = memfd_create("fabrictwin-wave", MFD_CLOEXEC);
  std::FILE* const file = memory < 0 ? std::tmpfile() : fdopen(memory, "w+b");
  if (file == nullptr) note(errno);
  return file;
}

size_t fst_fwrite(const void* data, size_t size, size_t count, std::FILE* file) {
  const size_t written = std::fwrite(data, size, count, file);
  if (written != count) note(errno);
  return written;
}

int fst_fflush(std::FILE* file) {
  const int result = std::fflush(file);
  if (result != 0) note(errno);
  return result;
}

int fst_fclose(std::FILE* file) {
  // What was not written before has left its mark, though not its reason.
  const bool failed = std::ferror(file) != 0;
  errno = 0;
  const int result = std::fclose(file);
  if (result != 0 || failed) note(errno);
  return result;
}

/// A mapping that is as long as it is asked to be: where the file is shorter, its content in memory of our own.
void* fst_mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) {
  struct stat found {};
  if (fstat(file, &found) == 0 && found.st_size >= offset + static_cast<off_t>(length))
    return mmap(address, length, protection, flags, file, offset);
  note(ENOSPC);
  void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED && pread(file, memory, length, offset) < 0) note(errno);
  return memory;
}

}  // namespace

int take_fst_error() {
  const int error = fst_error;
  fst_error = 0;
  return error;
}

}  // namespace fabrictwin::rtl

#define tmpfile fabrictwin::rtl::fst_tmpfile
#define fwrite fabrictwin::rtl::fst_fwrite
#define fflush fabrictwin::rtl::fst_fflush
#define fclose fabrictwin::rtl::fst_fclose
#define mmap fabrictwin::rtl::fst_mmap
#include "verilated_fst_c.cpp"  // NOLINT(bugprone-suspicious-include)
