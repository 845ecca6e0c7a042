// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/top/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using dashboards::top::beginning;
using dashboards::top::printable;
using dashboards::top::shortened;

TEST(PrintableTest, ShowsWhatATerminalMightObey) {
  EXPECT_EQ(printable("plain \"text\" \\ ~"), "plain \"text\" \\ ~");
  EXPECT_EQ(printable("\033[2J\033]0;title\007"), "?[2J?]0;title?");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a?b?c?d?");
  EXPECT_EQ(printable("Zürich 中"), "Zürich 中");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m")
      << "CSI of Latin-1";
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x80\x8b"),
            "a?b?")
      << "writing from right to left, and no width";
  EXPECT_EQ(printable("\xff\xc3(\xe2\x82"),
            "?"
            "?(?"
            "?")
      << "no UTF-8";
  EXPECT_EQ(printable(std::string("\0", 1)), "?");
  EXPECT_EQ(printable(""), "");
}

TEST(PrintableTest, ALongTextLosesItsMiddle) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789a", 10), "0123..789a");
  EXPECT_EQ(shortened("0123456789a", 9), "0123..89a");
  EXPECT_EQ(shortened("ääääääääääää", 8), "äää..äää");
  EXPECT_EQ(shortened("0123456789", 0), "012..789") << "no less than eight";
}

TEST(PrintableTest, ABeginningCountsCharacters) {
  EXPECT_EQ(beginning("äöü", 2), "äö");
  EXPECT_EQ(beginning("\033[1m", 2), "?[");
  EXPECT_EQ(beginning("ab", 9), "ab");
}

RC_GTEST_PROP(PrintableProperty, NoControlCharacterPasses, (const std::string& text)) {
  const std::string shown = printable(text);
  RC_ASSERT(is_utf8(shown));
  RC_ASSERT(std::none_of(shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
  RC_ASSERT(printable(shown) == shown);
}

}  // namespace
}  // namespace fabrictwin
