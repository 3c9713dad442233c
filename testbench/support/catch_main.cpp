// catch_main - the one translation unit that holds Catch2's main().
#define CATCH_CONFIG_MAIN
#include "testbench/support/catch.hpp"
