// catch - the one place that knows where Catch2 is installed (version 2 keeps everything in this header).
#pragma once
#include <catch2/catch.hpp>
