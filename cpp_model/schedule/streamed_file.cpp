#include "cpp_model/schedule/streamed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kLongestMessage = 300;

}  // namespace

StreamedOutput::StreamedOutput(const std::string& path) : file_(path) {
  buffer_.reserve(2 * kBufferBytes);
  if (!path.ends_with(".gz")) return;
  const int descriptor = ::fcntl(file_.descriptor(), F_DUPFD_CLOEXEC, 3);  // gzclose_w() closes it
  zip_ = descriptor < 0 ? nullptr : ::gzdopen(descriptor, "wb4");
  if (zip_ == nullptr) {
    ::close(descriptor);
    throw file_.cannot("out of memory");
  }
  ::gzbuffer(zip_, kBufferBytes);
}

void StreamedOutput::commit() {
  flush();
  errno = 0;
  if (zip_ != nullptr && ::gzclose_w(std::exchange(zip_, nullptr)) != Z_OK)
    throw file_.cannot(errno != 0 ? std::strerror(errno) : "the last bytes are lost");
  file_.commit();
}

void StreamedOutput::flush() {
  const std::string_view text(buffer_.data(), buffer_.size());
  if (text.empty()) return;
  errno = 0;
  if (zip_ == nullptr) {
    file_.write(text);
  } else if (::gzwrite(zip_, text.data(), static_cast<unsigned>(text.size())) == 0) {
    throw file_.cannot(errno != 0 ? std::strerror(errno) : "compression failed");
  }
  buffer_.clear();
}

StreamedInput::StreamedInput(const std::string& path) : path_(path) {
  // A path with a byte 0 is not the path that the system would open.
  if (path.find('\0') != std::string::npos) throw wrong("a byte 0 in the name; expected a file's name");
  if (const std::string why = why_no_input(path); !why.empty()) throw wrong(why);
  file_ = ::gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw wrong(fmt::format("cannot be opened: {}", std::strerror(errno)));
  ::gzbuffer(file_, kBlockBytes);
  try {
    refill();
    if (at_end()) throw wrong("empty; expected a schedule");
    if (path.ends_with(".gz") && ::gzdirect(file_) != 0)
      throw wrong("not compressed; expected gzip, as the name says");
  } catch (...) {
    ::gzclose_r(file_);
    throw;
  }
}

std::invalid_argument StreamedInput::wrong(const std::string& what) const {
  return bad_input("{}: {}", one_line(path_), printable(what).substr(0, kLongestMessage));
}

void StreamedInput::refill() {
  if (++idle_blocks_ > 2) {
    throw wrong(fmt::format("byte {}: one word or blank of more than {} bytes; expected a schedule", offset_,
                            kBlockBytes));
  }
  const int got = ::gzread(file_, block_.data(), kBlockBytes);
  int error = Z_OK;
  const char* why = ::gzerror(file_, &error);
  // A compressed file that ends too soon is not an error of gzread().
  if (got < 0 || (error != Z_OK && error != Z_STREAM_END)) {
    throw wrong(fmt::format("byte {}: cannot be read: {}",
                            offset_ + static_cast<std::uint64_t>(std::max(got, 0)),
                            error == Z_ERRNO ? std::strerror(errno) : why));
  }
  next_ = block_.data();
  end_ = next_ + got;
  // The parser would take a byte 0 for the end.
  const void* nul = std::memchr(next_, 0, static_cast<std::size_t>(got));
  if (nul != nullptr) {
    throw wrong(fmt::format("byte {}: a byte 0; expected text",
                            offset_ + static_cast<std::uint64_t>(static_cast<const char*>(nul) - next_)));
  }
  offset_ += static_cast<std::uint64_t>(got);
}

}  // namespace safnet
