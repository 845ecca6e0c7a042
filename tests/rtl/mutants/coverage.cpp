// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// In the place of Verilator's verilated_cov.cpp, for models made with --coverage: it would read the counters of a model
// when everything is over, but a test bench has many models, one after the other, each gone by then. Here counts are
// taken when the memory that holds them is given back, and those of all models are added up. The sums are written when
// the program ends, in Verilator's format (verilator_coverage reads it), to the file that FABRICTWIN_COVERAGE names.
#include <malloc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>

#include "verilated.h"
#include "verilated_cov.h"

namespace {

// Points are the same for all instances of a module.
class Points {
 public:
  void next(const uint32_t* count) { next_ = count; }

  void describe(const std::string& key) {
    const std::lock_guard lock(mutex_);
    alive_[reinterpret_cast<uintptr_t>(next_)] = &sums_.try_emplace(key, 0).first->second;
  }

  // The counters in a block of memory end.
  void harvest(uintptr_t begin, uintptr_t end) {
    const std::lock_guard lock(mutex_);
    const auto first = alive_.lower_bound(begin), last = alive_.lower_bound(end);
    for (auto point = first; point != last; ++point) {
      *point->second += *reinterpret_cast<const uint32_t*>(point->first);
    }
    alive_.erase(first, last);
  }

  void write(const char* path) {
    harvest(0, ~uintptr_t{0});
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return std::perror(path);
    std::fputs("# SystemC::Coverage-3\n", file);
    for (const auto& [key, count] : sums_) {
      std::fprintf(file, "C '%s' %llu\n", key.c_str(), static_cast<unsigned long long>(count));
    }
    std::fclose(file);
  }

 private:
  std::mutex mutex_;
  const uint32_t* next_ = nullptr;
  std::map<uintptr_t, uint64_t*> alive_;
  std::unordered_map<std::string, uint64_t> sums_;
};

// Never destroyed: memory is given back until the very end. While it is used itself, nothing is harvested.
Points* points = nullptr;
thread_local bool inside = false;

struct Inside {
  Inside() : before(inside) { inside = true; }
  ~Inside() { inside = before; }
  bool before;
};

void write_points() {
  const Inside guard;
  if (const char* path = std::getenv("FABRICTWIN_COVERAGE")) points->write(path);
}

Points& all_points() {
  if (points == nullptr) {
    points = new Points;
    std::atexit(write_points);
  }
  return *points;
}

void give_back(void* memory) {
  if (points != nullptr && !inside && memory != nullptr) {
    const Inside guard;
    const auto begin = reinterpret_cast<uintptr_t>(memory);
    points->harvest(begin, begin + malloc_usable_size(memory));
  }
  std::free(memory);
}

class Nothing final : public VerilatedVirtualBase {};

}  // namespace

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

// The object is never read: all its functions are below.
VerilatedCovContext* VerilatedContext::coveragep() VL_MT_SAFE {
  static Nothing nothing;
  return reinterpret_cast<VerilatedCovContext*>(&nothing);
}

void VerilatedCovContext::_inserti(uint32_t* count) VL_MT_SAFE {
  const Inside guard;
  all_points().next(count);
}
void VerilatedCovContext::_insertf(const char* /*file*/, int /*line*/) VL_MT_SAFE {}

// Keys of points have one letter in files, as verilator_coverage knows them.
void VerilatedCovContext::_insertp(const char* key0, const char* value0, const char* key1, const char* value1,
                                   const char* key2, const char* value2, const char* key3, const char* value3,
                                   const char* key4, const char* value4, const char* key5, const char* value5,
                                   const char* key6, const char* value6, const char* key7, const char* value7,
                                   const char* key8, const char* value8, const char* key9,
                                   const char* value9) VL_MT_SAFE {
  const Inside guard;
  static const std::map<std::string, const char*> kShort = {{"filename", "f"}, {"lineno", "l"},  {"column", "n"},
                                                            {"page", "page"},  {"comment", "o"}, {"linescov", "S"}};
  const std::pair<const char*, const char*> fields[] = {{key0, value0}, {key1, value1}, {key2, value2}, {key3, value3},
                                                        {key4, value4}, {key5, value5}, {key6, value6}, {key7, value7},
                                                        {key8, value8}, {key9, value9}};
  std::string text;
  for (const auto& [key, value] : fields) {
    if (key == nullptr || value == nullptr || !kShort.contains(key)) continue;
    text += std::string("\001") + kShort.at(key) + "\002" + value;
  }
  all_points().describe(text);
}

// What older models call.
void VerilatedCovContext::_insertp(const char* key0, const char* value0, const char* key1, const char* value1,
                                   const char* /*key2*/, int line, const char* /*key3*/, int column,
                                   const char* /*key4*/, const std::string& /*hierarchy*/, const char* key5,
                                   const char* value5, const char* key6, const char* value6, const char* key7,
                                   const char* value7) VL_MT_SAFE {
  _insertp(key0, value0, key1, value1, "lineno", std::to_string(line).c_str(), "column", std::to_string(column).c_str(),
           key5, value5, key6, value6, key7, value7, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
}
