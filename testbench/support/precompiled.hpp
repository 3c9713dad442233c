// precompiled - what most tests include, as cpp_model/system/precompiled.hpp is for the other sources.
#pragma once

#include "cpp_model/system/precompiled.hpp"
#include "testbench/support/catch.hpp"
