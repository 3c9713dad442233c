// streamed_file - text files, plain or compressed, written and read through a small buffer.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cpp_model/system/output_file.hpp"

namespace safnet {

/// An OutputFile that is written through a buffer, compressed if its name ends in ".gz". Throws WriteError.
class StreamedOutput {
 public:
  explicit StreamedOutput(const std::string& path);
  ~StreamedOutput() { ::gzclose_w(zip_); }
  StreamedOutput(const StreamedOutput&) = delete;
  StreamedOutput& operator=(const StreamedOutput&) = delete;

  void put(std::string_view text) {
    buffer_.append(text.data(), text.data() + text.size());
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void put(char c) { buffer_.push_back(c); }
  void put_number(std::uint64_t number) {
    const fmt::format_int digits(number);
    put(std::string_view(digits.data(), digits.size()));
  }
  /// The file is complete.
  void commit();

 private:
  static constexpr unsigned kBufferBytes = 1U << 16;

  void flush();

  OutputFile file_;
  gzFile zip_ = nullptr;  // null: not compressed
  fmt::memory_buffer buffer_;
};

/// The characters of a file, plain or compressed. Throws std::invalid_argument, which names the file.
class StreamedInput {
 public:
  explicit StreamedInput(const std::string& path);
  ~StreamedInput() { ::gzclose_r(file_); }
  StreamedInput(const StreamedInput&) = delete;
  StreamedInput& operator=(const StreamedInput&) = delete;

  bool at_end() const { return next_ == end_; }
  char current() const { return *next_; }
  void advance() {
    if (++next_ == end_) refill();
  }
  /// The parser has finished a word. It holds unfinished ones in memory, so that too long a word is refused.
  void note_progress() { idle_blocks_ = 0; }

  std::invalid_argument wrong(const std::string& what) const;

  /// What a parser reads from. Copies share the file's position.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    Iterator() = default;
    explicit Iterator(StreamedInput& file) : file_(&file) {}
    char operator*() const { return file_->current(); }
    Iterator& operator++() {
      file_->advance();
      return *this;
    }
    Iterator operator++(int) { return ++*this; }
    /// Only ever compared with the end.
    friend bool operator==(const Iterator& a, const Iterator&) { return a.file_->at_end(); }

   private:
    StreamedInput* file_ = nullptr;
  };

 private:
  static constexpr unsigned kBlockBytes = 1U << 16;

  void refill();

  std::string path_;
  gzFile file_ = nullptr;
  std::array<char, kBlockBytes> block_{};
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t offset_ = 0;  // of the end of the block, in what is decompressed
  unsigned idle_blocks_ = 0;
};

}  // namespace safnet
