#include "sim/fault/printed_output.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace safnet {

PrintedOutput::PrintedOutput() {
  std::fflush(stdout);
  kept_ = ::dup(STDOUT_FILENO);
  caught_ = ::memfd_create("printed", MFD_CLOEXEC);
  if (kept_ < 0 || caught_ < 0 || ::dup2(caught_, STDOUT_FILENO) < 0)
    throw std::system_error(errno, std::generic_category(), "cannot catch what assertions print");
}

PrintedOutput::~PrintedOutput() {
  std::fflush(stdout);
  ::dup2(kept_, STDOUT_FILENO);
  ::close(kept_);
  ::close(caught_);
}

std::string PrintedOutput::text() {
  std::fflush(stdout);
  std::string text(64 * 1024, '\0');
  const ssize_t got = ::pread(caught_, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

}  // namespace safnet
