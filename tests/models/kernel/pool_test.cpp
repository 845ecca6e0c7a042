// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

RC_GTEST_PROP(Pool, GivesNoRecordTwiceAndKeepsWhatIsInUse, ()) {
  kernel::Pool<uint64_t> pool;
  std::map<uint32_t, uint64_t> used;
  size_t most = 0;
  for (const bool more : *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>())) {
    if (more || used.empty()) {
      const uint32_t id = pool.make();
      RC_ASSERT(id != kernel::Pool<uint64_t>::kNone);
      const auto value = *rc::gen::arbitrary<uint64_t>();
      RC_ASSERT(used.emplace(id, value).second);
      pool[id] = value;
    } else {
      const auto dropped = std::next(used.begin(), *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(used)));
      pool.drop(dropped->first);
      used.erase(dropped);
    }
    most = std::max(most, used.size());
    for (const auto& [id, value] : used) RC_ASSERT(pool[id] == value);
  }
  RC_ASSERT(pool.size() == most);
}

}  // namespace
}  // namespace fabrictwin
