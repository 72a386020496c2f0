#include "kernel_cache.hpp"

#include "settings.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace usmtensor {
namespace {

// The header of a file; the key and the binary follow.
struct FileHeader {
  char magic[4];
  std::uint32_t version;
  std::uint64_t key_size, binary_size, checksum;
};
constexpr char magic[4] = {'U', 'S', 'M', 'B'};
constexpr std::uint32_t version = 1;
constexpr off_t largest_file = 256 << 20;
constexpr std::string_view suffix = ".kernel", temporary = ".tmp";
constexpr std::size_t stem = 16 + 1 + 16; // hashes of device and kernel, in hexadecimal

// Seconds after which a hit updates the time of a file; this saves a write for most hits.
constexpr time_t touch_after = 600;
// Seconds after which a temporary file is considered abandoned.
constexpr time_t abandoned_after = 3600;

// Null if the system cannot open it.
using Folder = std::unique_ptr<DIR, int (*)(DIR *)>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

struct CacheSettings {
  bool is_enabled;
  std::string folder;
  std::uint64_t limit;
};

std::string chosen_folder() {
  const std::string folder = variable("USMTENSOR_CACHE_DIR"), base = variable("XDG_CACHE_HOME"),
                    home = variable("HOME");
  if (!folder.empty())
    return folder;
  if (!base.empty() && base[0] == '/') // the XDG specification: a relative path is ignored
    return base + "/usmtensor";
  return !home.empty() && home[0] == '/' ? home + "/.cache/usmtensor" : "";
}

// In megabytes.
double chosen_limit() {
  constexpr double default_limit = 256;
  const std::string size = variable("USMTENSOR_CACHE_SIZE");
  char *end = nullptr;
  const double limit = std::strtod(size.c_str(), &end);
  return size.empty() || *end || !(limit >= 0 && limit <= 1e9) ? default_limit : limit;
}

const CacheSettings &cache_settings() {
  static const CacheSettings &settings = *new CacheSettings([] {
    // Made absolute, because the process may change its working directory later.
    std::error_code none;
    constexpr double megabyte = 1 << 20;
    return CacheSettings{variable("USMTENSOR_CACHE") != "0",
                         std::filesystem::absolute(chosen_folder(), none),
                         static_cast<std::uint64_t>(chosen_limit() * megabyte)};
  }());
  return settings;
}

// True if only this user (and root) can have written it.
bool is_private(const struct stat &status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void make_folders(const std::string &path) {
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
    ::mkdir(path.substr(0, at).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
}

// Opens the folder, or sets `problem`. It is opened anew each time, because it may be replaced, and
// daemons may close unknown descriptors. Files are opened relative to the checked descriptor, so an
// attacker gains nothing by replacing a parent folder.
Folder open_folder(bool make, std::string *problem = nullptr) {
  const CacheSettings &set = cache_settings();
  auto refuse = [&](std::string reason) {
    if (problem)
      *problem = std::move(reason);
    return Folder(nullptr, ::closedir);
  };
  if (!set.is_enabled)
    return refuse("USMTENSOR_CACHE=0");
  if (set.folder.empty())
    return refuse("neither USMTENSOR_CACHE_DIR, XDG_CACHE_HOME nor HOME names a folder");
  Folder folder(::opendir(set.folder.c_str()), ::closedir);
  if (!folder && errno == ENOENT && make) {
    make_folders(set.folder);
    folder.reset(::opendir(set.folder.c_str()));
  }
  if (!folder)
    return refuse(errno == ENOENT ? "" : std::strerror(errno));
  struct stat status;
  if (::fstat(::dirfd(folder.get()), &status) != 0 || !is_private(status))
    return refuse("another user owns it or can write to it");
  return folder;
}

// Opens a file of the folder with flags for open() and a mode for fopen().
File open_file(const Folder &folder, const std::string &name, int flags, const char *mode) {
  const int file =
      ::openat(::dirfd(folder.get()), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600);
  File stream(file < 0 ? nullptr : ::fdopen(file, mode), std::fclose);
  if (file >= 0 && !stream)
    ::close(file);
  return stream;
}

bool remove_file(const Folder &folder, const char *name) {
  return ::unlinkat(::dirfd(folder.get()), name, 0) == 0;
}

std::string file_name(const CacheKey &key) {
  char text[stem + 1];
  std::snprintf(text, sizeof text, "%016llx-%016llx",
                static_cast<unsigned long long>(fnv(key.device)),
                static_cast<unsigned long long>(fnv(key.kernel)));
  return std::string(text) + std::string(suffix);
}

std::string key_text(const CacheKey &key) { return key.device + '\0' + key.kernel; }

std::uint64_t checksum(std::string_view key, const std::vector<unsigned char> &binary) {
  return fnv({reinterpret_cast<const char *>(binary.data()), binary.size()}, fnv(key));
}

bool read_all(const File &file, void *to, std::size_t count) {
  return std::fread(to, 1, count, file.get()) == count;
}

bool write_all(const File &file, const void *from, std::size_t count) {
  return std::fwrite(from, 1, count, file.get()) == count;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// True if the name of a file is this library's. The folder may also have other files.
bool is_ours(std::string_view name) {
  return name.size() > stem && name[16] == '-' &&
         name.substr(0, stem).find_first_not_of("0123456789abcdef-") == name.npos &&
         name.substr(stem, suffix.size()) == suffix &&
         (name.size() == stem + suffix.size() || ends_with(name, temporary));
}

struct Entry {
  std::string name;
  std::uint64_t size;
  std::pair<time_t, long> used; // seconds, nanoseconds
};

// Calls `call` with the name of every file of this library.
void list_files(const Folder &folder, const std::function<void(const char *)> &call) {
  while (const dirent *entry = ::readdir(folder.get()))
    if (is_ours(entry->d_name))
      call(entry->d_name);
}

std::vector<Entry> entries(const Folder &folder) {
  std::vector<Entry> found;
  list_files(folder, [&](const char *name) {
    struct stat status;
    if (::fstatat(::dirfd(folder.get()), name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      return;
    if (!ends_with(name, temporary))
      found.push_back({name,
                       static_cast<std::uint64_t>(status.st_size),
                       {status.st_mtim.tv_sec, status.st_mtim.tv_nsec}});
    else if (std::time(nullptr) - status.st_mtim.tv_sec > abandoned_after)
      remove_file(folder, name);
  });
  return found;
}

std::uint64_t total(const std::vector<Entry> &files) {
  return std::accumulate(files.begin(), files.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const Entry &file) { return sum + file.size; });
}

// Deletes old files if the folder exceeds the limit. Rarely lists all files, because there may be
// many thousands.
void enforce_limit(const Folder &folder, std::uint64_t added) {
  static std::mutex &mutex = *new std::mutex;
  static std::uint64_t total_bytes = 0;
  static unsigned calls = 0;
  std::lock_guard<std::mutex> lock(mutex);
  const std::uint64_t limit = cache_settings().limit;
  total_bytes += added;
  constexpr unsigned recount_interval = 64; // because other processes also add files
  if (calls++ % recount_interval != 0 && total_bytes <= limit)
    return;
  std::vector<Entry> files = entries(folder);
  total_bytes = total(files);
  if (total_bytes <= limit)
    return;
  std::sort(files.begin(), files.end(),
            [](const Entry &a, const Entry &b) { return a.used < b.used; });
  const std::uint64_t reduced = limit - limit / 8; // leaves room for the next files
  for (const Entry &file : files) {
    if (total_bytes <= reduced)
      break;
    if (remove_file(folder, file.name.c_str()) || errno == ENOENT)
      total_bytes -= file.size;
  }
}

} // namespace

CacheOutcome find_binary(const CacheKey &key, std::vector<unsigned char> &binary) {
  const Folder folder = open_folder(false);
  if (!folder)
    return CacheOutcome::miss;
  // Non-blocking, because the name may belong to a pipe or device.
  const File file = open_file(folder, file_name(key), O_RDONLY | O_NONBLOCK, "r");
  if (!file)
    return errno == ENOENT ? CacheOutcome::miss : CacheOutcome::bad;
  const int descriptor = ::fileno(file.get());
  struct stat status;
  FileHeader header;
  const std::string text = key_text(key);
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || !is_private(status) ||
      status.st_size > largest_file || !read_all(file, &header, sizeof header) ||
      std::memcmp(header.magic, magic, sizeof magic) != 0 || header.version != version ||
      header.key_size != text.size() ||
      header.binary_size != status.st_size - sizeof header - text.size())
    return CacheOutcome::bad;
  std::string found(text.size(), '\0');
  if (!read_all(file, found.data(), found.size()) || found != text)
    return CacheOutcome::bad;
  binary.resize(header.binary_size);
  if (!read_all(file, binary.data(), binary.size()) || checksum(text, binary) != header.checksum)
    return CacheOutcome::bad;
  if (std::time(nullptr) - status.st_mtim.tv_sec > touch_after)
    ::futimens(descriptor, nullptr); // records the use; fails harmlessly in a read-only folder
  return CacheOutcome::hit;
}

void save_binary(const CacheKey &key, const std::vector<unsigned char> &binary) {
  static std::atomic<unsigned> count{0};
  const std::string text = key_text(key);
  const std::uint64_t size = sizeof(FileHeader) + text.size() + binary.size();
  if (size > cache_settings().limit || size > static_cast<std::uint64_t>(largest_file))
    return;
  const Folder folder = open_folder(true);
  if (!folder)
    return;
  FileHeader header = {{}, version, text.size(), binary.size(), checksum(text, binary)};
  std::memcpy(header.magic, magic, sizeof magic);
  const std::string name = file_name(key);
  // Written under a temporary name first, so that no process reads a partial file.
  const std::string temporary_name = name + "." + std::to_string(::getpid()) + "." +
                                     std::to_string(count++) + std::string(temporary);
  File file = open_file(folder, temporary_name, O_WRONLY | O_CREAT | O_EXCL, "w");
  if (!file)
    return;
  const bool written = write_all(file, &header, sizeof header) &&
                       write_all(file, text.data(), text.size()) &&
                       write_all(file, binary.data(), binary.size());
  const int at = ::dirfd(folder.get());
  if (std::fclose(file.release()) != 0 || !written ||
      ::renameat(at, temporary_name.c_str(), at, name.c_str()) != 0)
    remove_file(folder, temporary_name.c_str());
  else
    enforce_limit(folder, size);
}

bool has_binaries(const std::string &device) {
  const Folder folder = open_folder(false);
  const std::string start = file_name({device, {}}).substr(0, 17);
  bool found = false;
  if (folder)
    list_files(folder, [&](const char *name) {
      found |=
          start.compare(0, start.size(), name, start.size()) == 0 && !ends_with(name, temporary);
    });
  return found;
}

CacheInfo cache_info() {
  CacheInfo info;
  info.folder = cache_settings().folder;
  info.limit = cache_settings().limit;
  if (const Folder folder = open_folder(false, &info.problem)) {
    const std::vector<Entry> files = entries(folder);
    info.files = files.size();
    info.bytes = total(files);
  }
  return info;
}

std::size_t clear_cache() {
  std::size_t deleted = 0;
  if (const Folder folder = open_folder(false))
    list_files(folder, [&](const char *name) {
      deleted += remove_file(folder, name) && !ends_with(name, temporary);
    });
  return deleted;
}

} // namespace usmtensor
